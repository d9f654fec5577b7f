import type { Deployment } from "../../deployment/deployment.ts";
import { withEnvFile } from "../../deployment/resolve.ts";
import { concernOf } from "../../rules/blocking.ts";
import { runRules } from "../../rules/run-rules.ts";
import { firstRender } from "../artifacts.ts";
import { proseMask, redactorFor, valueMask, type ValueMask } from "../value-mask.ts";
import { findChanges } from "./changes.ts";
import { dataAtRisk } from "./data-at-risk.ts";
import type { Step } from "./steps/step.ts";
import { stepsFor } from "./steps/steps.ts";
import { suppressionChanges } from "./suppressions.ts";

/** One of the two deployments that are compared; see docs/json.md. */
export type DiffSide = ReturnType<typeof sideOf>;

/** What changes from one deployment to another; see docs/json.md. */
export type DeploymentDiff = ReturnType<typeof diffDeployments>;

/** A deployment with the name that it was asked for by. */
export interface NamedDeployment {
  readonly named: string;
  readonly deployment: Deployment;
}

function sideOf(named: string, deployment: Deployment, mask: ValueMask) {
  const { inputs, target, release, sandbox } = deployment;
  const backend = sandbox.effective === null ? null : mask("", sandbox.effective.name);
  // What `check` fails for; values of secrets aside, which a revision does not have. With any, the rest of the diff may be incomplete.
  const errors = runRules(deployment).filter(
    (one) =>
      one.severity === "error" && one.suppression === undefined && concernOf(one, deployment) !== "secret-values",
  ).length;
  return { named, config: inputs.config.file, target, release: release.resolved, backend, errors };
}

/** Compares two deployments: what each workload gets, secrets, artifacts, data, and what is to be done. */
export function diffDeployments(a: NamedDeployment, b: NamedDeployment) {
  // A revision has no `.env`: what it holds must not look like a change.
  const [before, after] = [withEnvFile(a.deployment, null), withEnvFile(b.deployment, null)];
  const mask = valueMask(a.deployment, b.deployment);
  const now = { deployment: after, rendered: firstRender(after) };
  const changes = findChanges({ deployment: before, rendered: firstRender(before) }, now, mask);
  const { workloads, secrets, artifacts } = changes;
  const data = dataAtRisk(before, after, mask);
  const hide = proseMask(a.deployment, b.deployment);
  const suppressions = suppressionChanges(before, after, (text) => mask("", hide(text)));
  const { added, removed } = suppressions;
  const lists = [workloads, artifacts ?? [], data, secrets.add, secrets.retire, secrets.change, added, removed];
  const same =
    lists.every((list) => list.length === 0) &&
    before.sandbox.effective?.name === after.sandbox.effective?.name &&
    before.release.resolved === after.release.resolved;
  return {
    from: sideOf(a.named, before, mask),
    to: sideOf(b.named, after, mask),
    ...changes,
    data,
    suppressions,
    same,
    steps: same ? [] : shownSteps(stepsFor(before, now, changes, data), redactorFor(a.deployment, b.deployment)),
  };
}

/** Commands that nothing has to be hidden of: one with a part hidden does something else. */
function shownSteps(steps: readonly Step[], redact: (text: string) => string): readonly Step[] {
  return steps.map((step) => ({
    ...step,
    commands: step.commands.every((command) => redact(command) === command) ? step.commands : [],
  }));
}
