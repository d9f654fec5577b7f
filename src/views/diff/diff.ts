import type { Deployment } from "../../deployment/deployment.ts";
import { withEnvFile } from "../../deployment/resolve.ts";
import { redactText } from "../../base/redact.ts";
import { blockingDiagnostics } from "../../rules/blocking.ts";
import { runRules } from "../../rules/run-rules.ts";
import { valueMask, type ValueMask } from "../value-mask.ts";
import { artifactChanges } from "./artifacts.ts";
import { dataAtRisk } from "./data-at-risk.ts";
import type { DeploymentDiff, DiffSide } from "./deployment-diff.ts";
import { secretChanges } from "./secrets.ts";
import { stepsFor } from "./steps.ts";
import { workloadChanges } from "./workloads.ts";

/** A deployment with the name that it was asked for by. */
export interface NamedDeployment {
  readonly named: string;
  readonly deployment: Deployment;
}

function sideOf(named: string, deployment: Deployment): DiffSide {
  const { inputs, target, release, sandbox } = deployment;
  const errors = blockingDiagnostics("diff", runRules(deployment), deployment).length;
  const backend = sandbox.effective === null ? null : redactText(sandbox.effective.name);
  return { named, config: inputs.config.file, target, release: release.resolved, backend, errors };
}

/** Compares two deployments: what each workload gets, secrets, artifacts, data, and what is to be done. */
export function diffDeployments(a: NamedDeployment, b: NamedDeployment): DeploymentDiff {
  // A revision has no `.env`: what it holds must not look like a change.
  const [before, after] = [withEnvFile(a.deployment, null), withEnvFile(b.deployment, null)];
  const [maskOfA, maskOfB] = [valueMask(a.deployment), valueMask(b.deployment)];
  const mask: ValueMask = (name, value) => maskOfB(name, maskOfA(name, value));
  const changes = {
    from: sideOf(a.named, before),
    to: sideOf(b.named, after),
    workloads: workloadChanges(before, after, mask),
    secrets: secretChanges(before, after),
    artifacts: artifactChanges(before, after),
    data: dataAtRisk(before, after, mask),
  };
  const { secrets, workloads, artifacts, data } = changes;
  const counts = [workloads, artifacts ?? [], data, secrets.add, secrets.retire, secrets.change];
  const same =
    counts.every((list) => list.length === 0) && before.sandbox.effective?.name === after.sandbox.effective?.name;
  return { ...changes, same, steps: same ? [] : stepsFor(before, after, changes) };
}
