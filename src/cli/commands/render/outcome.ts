import type { Deployment } from "../../../deployment/deployment.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import type { Palette } from "../../../diagnostics/reporters/reporter.ts";
import { BRING_UP } from "../../../render/bring-up/bring-up.ts";
import { deploymentView } from "../../../views/deployment-view.ts";
import { diagnosticView, unreadDeployment } from "../../../diagnostics/view.ts";
import { joined, ours, plainText, type Shown, shown } from "../../../base/shown.ts";
import { blankerFor } from "../../../views/value-mask.ts";
import { type FileChange, unifiedDiff } from "../../../workspace/unified-diff.ts";
import { MANIFEST, toldChanges } from "../../../deployment/rendered-names.ts";
import { textHash } from "../../../render/manifest.ts";
import type { PlannedArtifact, RenderPlan, StaleFile } from "../../../workspace/render-plan.ts";
import { colouredDiff, deploymentHead } from "../../output.ts";

/** What a run of `render` came to. */
export interface Outcome {
  readonly deployment: Deployment;
  /** Errors of `check` that speak against rendering. */
  readonly findings: readonly Diagnostic[];
  /** Null when the findings stopped it. */
  readonly plan: RenderPlan | null;
  readonly action: "write" | "check" | "nothing";
  readonly prune: boolean;
  readonly ok: boolean;
  /** The directory relative to the working directory. */
  readonly shown: string;
}

/** True when the files that lie there are not those that were rendered. */
export function drifts(plan: RenderPlan): boolean {
  return plan.stale.length > 0 || plan.files.some((file) => file.change !== "unchanged");
}

/** The files that differ, as people are told. */
export function differingFiles({ files }: RenderPlan): readonly PlannedArtifact[] {
  return toldChanges(files, ({ artifact }) => artifact.name);
}

/** What `--format json` says of a deployment; see docs/json.md. */
export function jsonOutcome(outcome: Outcome): object {
  const { deployment, findings, plan, action, prune, ok, shown: directory } = outcome;
  const blank = blankerFor(deployment);
  return {
    ...deploymentHead(deployment),
    ok,
    directory,
    action,
    artifacts: (plan?.files ?? []).map((file) => ({
      name: file.artifact.name,
      change: file.change,
      secret: file.artifact.secret,
      edited: file.edited,
      sha256: file.artifact.secret ? null : ours(textHash(file.artifact.text)),
      diff:
        action === "check" && file.change !== "unchanged" && file.artifact.name !== MANIFEST
          ? ours(unifiedDiff(fileChange(directory, file), blank).text)
          : null,
    })),
    stale: (plan?.stale ?? []).map((file) => ({
      name: file.name,
      removed: action === "write" && prune && file.removable,
      removable: file.removable,
    })),
    refusals: (plan?.refusals ?? []).map((refusal) => ({ artifact: refusal.artifact, ...diagnosticView(refusal) })),
    notes: (plan?.notes ?? []).map(({ artifact, message }) => ({ artifact, message })),
    diagnostics: deploymentView(deployment, findings, false).diagnostics,
  };
}

/** The same of a deployment of which nothing is known but why. */
export function jsonProblem(problem: Diagnostic, file: string): object {
  const { config, target, release, ok, diagnostics } = unreadDeployment(file, [diagnosticView(problem)]);
  const nothing = { artifacts: [], stale: [], refusals: [], notes: [] };
  return { config, target, release, ok, directory: null, action: "nothing", ...nothing, diagnostics };
}

/** What people see of a run that wrote or looked; findings and refusals are printed apart. */
export function outcomeText(outcome: Outcome, plan: RenderPlan, palette: Palette): Shown {
  const said =
    outcome.action === "check"
      ? checkLines(outcome, plan, palette)
      : outcome.action === "write"
        ? writeLines(outcome, plan)
        : [];
  const notes = plan.notes.map(({ artifact, message }) => shown`info: ${plainText(artifact)}: ${message}\n`);
  return joined([...said, ...notes]);
}

function checkLines(
  { deployment, shown: directory, prune }: Outcome,
  plan: RenderPlan,
  palette: Palette,
): readonly Shown[] {
  const place = plainText(directory);
  if (!drifts(plan)) return [shown`${place} is what the config says (${plan.files.length} files)\n`];
  const { length } = differingFiles(plan);
  const count = `${length} ${length === 1 ? "file differs" : "files differ"}`;
  return [
    diffsText({ deployment, shown: directory }, plan, palette),
    ...plan.stale.map((file) => staleLine(file, false, prune)),
    shown`${place} is not what the config says: ${count}${plan.stale.length === 0 ? "" : `, ${plan.stale.length} stale`}; run \`qm-deploy render\`\n`,
  ];
}

function fileChange(directory: string, { artifact, before }: PlannedArtifact): FileChange {
  const name = `${directory}/${artifact.name}`;
  return { name, before: before?.text ?? null, after: artifact.text, says: "as rendered" };
}

/** How the files that lie there would change. */
export function diffsText(
  { deployment, shown: directory }: Pick<Outcome, "deployment" | "shown">,
  plan: RenderPlan,
  palette: Palette,
): Shown {
  const blank = blankerFor(deployment);
  return joined(
    differingFiles(plan).map((file) => colouredDiff(unifiedDiff(fileChange(directory, file), blank), palette)),
  );
}

function writeLines({ shown: directory, prune }: Outcome, plan: RenderPlan): readonly Shown[] {
  const changed = plan.files.filter((file) => file.change !== "unchanged");
  const unchanged = plan.files.length - changed.length;
  const place = plainText(directory);
  return [
    ...changed.map(
      (file) =>
        shown`${file.change.padEnd(8)} ${plainText(`${directory}/${file.artifact.name}`)}${file.edited ? " (was edited by hand; that is gone)" : ""}\n`,
    ),
    ...plan.stale.map((file) => staleLine(file, true, prune)),
    shown`${place}: ${plan.files.length} files, ${unchanged === plan.files.length ? "all as they were" : `${unchanged} as they were`}\n`,
    ...(plan.files.some((file) => file.artifact.name === BRING_UP && file.change === "new")
      ? [shown`next: ${plainText(`${directory}/${BRING_UP}`)}\n`]
      : []),
  ];
}

function staleLine({ name, removable }: StaleFile, writes: boolean, prune: boolean): Shown {
  const what = !removable
    ? "no longer rendered, and edited since: remove it by hand"
    : writes && prune
      ? "no longer rendered: removed"
      : "no longer rendered; --prune removes it";
  return shown`stale    ${plainText(name)} (${what})\n`;
}
