import type { Deployment } from "../../../deployment/deployment.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { printableJson } from "../../../base/printable.ts";
import { diagnosticView } from "../../../diagnostics/view.ts";
import { MANIFEST, textHash } from "../../../render/manifest.ts";
import { deploymentView } from "../../../views/deployment-view.ts";
import { unifiedDiff } from "../../../workspace/unified-diff.ts";
import type { RenderPlan } from "../../../workspace/render-plan.ts";

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

/** The one object of `--format json`; see docs/json.md. */
export function jsonOutcome(outcome: Outcome): string {
  const { deployment, findings, plan, action, prune, ok, shown } = outcome;
  const { release, target, inputs } = deployment;
  const object = {
    version: 1,
    ok,
    config: inputs.config.file,
    target,
    release: { pinned: release.pinned, resolved: release.resolved, source: release.source },
    directory: shown,
    action,
    artifacts: (plan?.files ?? []).map((file) => ({
      name: file.artifact.name,
      change: file.change,
      secret: file.artifact.secret,
      edited: file.edited,
      sha256: file.artifact.secret ? null : textHash(file.artifact.text),
      diff:
        action === "check" && file.change !== "unchanged" && file.artifact.name !== MANIFEST
          ? unifiedDiff(shown, file)
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
  return printableJson(`${JSON.stringify(object, null, 2)}\n`);
}
