import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { printable } from "../../../base/printable.ts";
import type { Palette } from "../../../diagnostics/reporters/reporter.ts";
import { howToGetValue, missingSecrets } from "../../../scaffold/envfile.ts";
import type { ScaffoldPlan } from "../../../scaffold/plan.ts";
import { unifiedDiff } from "../../../workspace/unified-diff.ts";

const PLACEHOLDER = "config/placeholder";

/** Lines, each made safe for a terminal. */
function safe(lines: readonly string[]): string {
  return lines.map((line) => `${printable(line)}\n`).join("");
}

/** What was done to each file of init, and how many were rendered. */
export function filesText({ files, render }: ScaffoldPlan): string {
  const lines = files.flatMap(({ path, action, notes }) => [
    `${action.padEnd(8)} ${path}`,
    ...notes.map((note) => `           ${note}`),
  ]);
  if (render !== null) {
    const place = render.request.output.fromDeployment;
    const { files: rendered, refusals } = render.plan;
    const isSame = rendered.every((file) => file.change === "unchanged");
    lines.push(
      render.isFresh
        ? `${isSame ? "kept    " : "created "} ${place}/ (${rendered.length} files)`
        : `kept     ${place}/, which is not what the config says: run qm-deploy render`,
    );
    const missing = [...new Set(refusals.map((refusal) => refusal.artifact))];
    if (missing.length > 0)
      lines.push(`           without ${missing.join(", ")}, for which something is missing: see below`);
  }
  return safe(lines);
}

/** How existing files would change and what new ones would hold. Never the content of `.env`. */
export function diffsText({ files }: ScaffoldPlan, directory: string): string {
  const shown = files.filter((file) => file.action !== "kept" && !file.secret);
  return shown
    .map(({ path, text, before }) =>
      unifiedDiff(directory, {
        artifact: { name: path, text, secret: false },
        before: before === null ? null : { text: before, mode: 0o644 },
      }),
    )
    .join("");
}

/** Everything that the operator must still supply: secrets in `.env` and values of the config; then what else `check` says. */
export function openValuesText({ deployment, diagnostics }: ScaffoldPlan, palette: Palette): string {
  const secrets = missingSecrets(deployment);
  const places = diagnostics.filter((finding) => finding.rule === PLACEHOLDER);
  const others = diagnostics.filter(
    ({ severity, rule }) => severity !== "info" && rule !== PLACEHOLDER && rule !== "env-file/missing-secret",
  );
  const width = Math.max(0, ...secrets.map(({ name }) => name.length));
  const parts: string[] = [];
  if (secrets.length > 0)
    parts.push(
      `\n${palette.strong("To fill in, in .env:")}\n${safe(secrets.map((secret) => `  ${secret.name.padEnd(width)}  ${howToGetValue(secret, deployment)}`))}`,
    );
  if (places.length > 0)
    parts.push(`\n${palette.strong("To fill in, in qm.config.jsonc:")}\n${safe(places.map(placeLine))}`);
  if (others.length > 0)
    parts.push(
      `\n${palette.strong("To look at, which `qm-deploy check` shows in full:")}\n${safe(others.map(findingLine))}`,
    );
  return parts.join("");
}

function placeLine({ range, message }: Diagnostic): string {
  return `  ${range === null ? "" : `line ${range.start.line}: `}${message}`;
}

function findingLine({ severity, file, range, message }: Diagnostic): string {
  return `  ${severity}: ${file}${range === null ? "" : `:${range.start.line}`}: ${message}`;
}

/** What to do next, with commands to paste. `enter` is the way to the deployment directory; null: already there. */
export function stepsText({ steps }: ScaffoldPlan, enter: string | null, palette: Palette): string {
  if (steps.length === 0) return "";
  const all = enter === null ? steps : [{ says: "Go there", commands: [enter] }, ...steps];
  const lines = all.flatMap(({ says, commands }, at) => [
    `  ${at + 1}. ${says}`,
    ...commands.map((command) => `       ${command}`),
  ]);
  return `\n${palette.strong("Next:")}\n${safe(lines)}`;
}
