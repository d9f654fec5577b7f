import { compareReleases } from "../../catalog/releases/index.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { DiagnosticView } from "../../diagnostics/view.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { deploymentView } from "../deployment-view.ts";
import { diffDeployments } from "../diff/diff.ts";
import { proseMask } from "../value-mask.ts";
import type { UpgradePlan } from "./plan.ts";

/** What another release changes for a deployment; see docs/json.md. */
export type UpgradeView = ReturnType<typeof upgradeView>;

/** Everything that people and programs are told of an upgrade. */
export function upgradeView(plan: UpgradePlan) {
  const { before, after, pin, applied, lost } = plan;
  const diff = diffDeployments({ named: "now", deployment: before }, { named: "then", deployment: after });
  const hide = proseMask(before);
  const obstacles = viewsOf(after, plan.obstacles);
  const left = new Set(plan.remaining.map(({ rule, message }) => `${rule} ${message}`));
  const appear = viewsOf(before, plan.appear).map((view, at) => {
    const { rule, message } = plan.appear[at] as Diagnostic;
    return { ...view, fixed: !left.has(`${rule} ${message}`) };
  });
  return {
    config: before.inputs.config.file,
    target: before.target,
    direction: directionOf(before, after),
    pin: { file: pin.file, change: changeOf(plan), from: pin.from, to: pin.to },
    ok: obstacles.length === 0,
    lost: lost.map(({ path, message }) => ({ path: hide(path), message: hide(message) })),
    findings: { appear, go: viewsOf(before, plan.go) },
    fixes: applied.map(hide),
    obstacles,
    ...diff,
  };
}

function viewsOf(deployment: Deployment, diagnostics: readonly Diagnostic[]): readonly DiagnosticView[] {
  return deploymentView(deployment, diagnostics, false).diagnostics;
}

function directionOf(before: Deployment, after: Deployment): "upgrade" | "downgrade" | "none" {
  const order = compareReleases(before.release.release, after.release.release);
  return order < 0 ? "upgrade" : order > 0 ? "downgrade" : "none";
}

function changeOf({ pin }: UpgradePlan): "added" | "changed" | "none" {
  if (pin.before === pin.after) return "none";
  return pin.before === null || pin.from === null ? "added" : "changed";
}
