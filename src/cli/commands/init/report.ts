import { posix } from "node:path";
import { joined, lines, ours, type Piece, plainText, type Shown, shown } from "../../../base/shown.ts";
import { compareText } from "../../../base/text-order.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import type { Palette } from "../../../diagnostics/reporters/reporter.ts";
import { howToGetValue, isLasting, keptValue } from "../../../scaffold/envfile.ts";
import type { ScaffoldPlan } from "../../../scaffold/plan.ts";
import { missingSecrets } from "../../../views/status.ts";
import { blankerFor } from "../../../views/value-mask.ts";
import { unifiedDiff } from "../../../workspace/unified-diff.ts";

const PLACEHOLDER = "config/placeholder";

/** A part of the report with its headline; nothing where it has no lines. */
function section(palette: Palette, headline: string, all: readonly Piece[]): Shown {
  return all.length === 0 ? ours("") : shown`\n${palette.strong(headline)}\n${lines(all)}`;
}

/** What was done to each file of init, and how many were rendered. */
export function filesText({ files, render }: ScaffoldPlan): Shown {
  const all: Piece[] = files.flatMap(({ path, action, notes }) => [
    shown`${action.padEnd(8)} ${plainText(path)}`,
    ...notes.map((note) => `           ${note}`),
  ]);
  if (render === null) return lines(all);
  const place = render.request.output.fromDeployment;
  const { files: rendered, refusals } = render.plan;
  const isSame = rendered.every((file) => file.change === "unchanged");
  all.push(
    render.isFresh
      ? `${isSame ? "kept    " : "created "} ${place}/ (${rendered.length} files)`
      : `kept     ${place}/, which is not what the config says: run qm-deploy render`,
  );
  const missing = [...new Set(refusals.map((refusal) => refusal.artifact))];
  if (missing.length > 0)
    all.push(`           without ${missing.join(", ")}, for which something is missing: see below`);
  return lines(all);
}

/** The files of a plan as a tree, each with `created`, `merged` or `kept` behind it. Rendered files are made, all of them, or left alone. */
export function planTree({ files, render }: ScaffoldPlan): Shown {
  const rendered = (render?.plan.files ?? []).map(({ artifact, change }) => ({
    path: `${render?.request.output.fromDeployment}/${artifact.name}`,
    action: change === "new" && render?.isFresh === true ? "created" : "kept",
  }));
  const leaves = [...files, ...rendered].map(({ path, action }) => ({
    names: path.startsWith("../") ? [path] : path.split("/"),
    path,
    action,
  }));
  const width = Math.max(...leaves.map(({ names }) => 2 * names.length + (names.at(-1) ?? "").length));
  const all: string[] = [];
  const seen = new Set<string>();
  for (const { names, action } of leaves.toSorted((a, b) => compareText(a.path, b.path))) {
    for (const [depth, name] of names.entries()) {
      const line = `${"  ".repeat(depth + 1)}${plainText(name).text}`;
      const path = names.slice(0, depth + 1).join("/");
      if (depth === names.length - 1) all.push(line.padEnd(width + 2) + action);
      else if (!seen.has(path)) all.push(`${line}/`);
      seen.add(path);
    }
  }
  return lines(all.map(ours));
}

/** How existing files would change and what new ones would hold. Never the content of `.env`. */
export function diffsText({ files, deployment }: ScaffoldPlan, directory: string): Shown {
  const blank = blankerFor(deployment);
  const changed = files.filter((file) => file.action !== "kept" && !file.secret);
  const diffs = changed.map(({ path, text, before }) =>
    unifiedDiff({ name: posix.join(directory, path), before, after: text, says: "as rendered" }, blank),
  );
  return joined(diffs);
}

/** Everything that the operator must still supply: secrets in `.env` and values of the config; then what else `check` says. */
export function openValuesText({ deployment, diagnostics }: ScaffoldPlan, palette: Palette): Shown {
  const secrets = missingSecrets(deployment);
  const width = Math.max(0, ...secrets.map(({ name }) => name.length));
  const places = diagnostics.filter((finding) => finding.rule === PLACEHOLDER);
  const others = diagnostics.filter(
    ({ severity, rule, suppression }) =>
      suppression === undefined && severity !== "info" && rule !== PLACEHOLDER && rule !== "env-file/missing-secret",
  );
  return joined([
    section(
      palette,
      "To fill in, in .env:",
      secrets.map((secret) => {
        const kept = isLasting(secret) ? `: ${keptValue(secret)}` : "";
        return `  ${secret.name.padEnd(width)}  ${howToGetValue(secret, deployment)}${kept}`;
      }),
    ),
    section(palette, "To fill in, in qm.config.jsonc:", places.map(placeLine)),
    section(palette, "To look at, which `qm-deploy check` shows in full:", others.map(findingLine)),
  ]);
}

function placeLine({ range, message }: Diagnostic): string {
  return `  ${range === null ? "" : `line ${range.start.line}: `}${message}`;
}

function findingLine({ severity, file, range, message }: Diagnostic): Shown {
  return shown`  ${severity}: ${plainText(file)}${range === null ? "" : `:${range.start.line}`}: ${message}`;
}

/** What to do next, with commands to paste. `enter` is the way to the deployment directory; null: already there. */
export function stepsText({ steps }: ScaffoldPlan, enter: string | null, palette: Palette): Shown {
  if (steps.length === 0) return ours("");
  const all = enter === null ? steps : [{ says: "Go there", commands: [enter] }, ...steps];
  const texts = all.flatMap(({ says, commands }, at) => [
    shown`  ${at + 1}. ${says}`,
    // To paste: a directory keeps its name.
    ...commands.map((command) => shown`       ${plainText(command)}`),
  ]);
  return section(palette, "Next:", texts);
}
