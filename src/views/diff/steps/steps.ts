import type { Deployment } from "../../../deployment/deployment.ts";
import type { Changes, RenderedDeployment } from "../changes.ts";
import type { DataAtRisk } from "../data-at-risk.ts";
import { backendSteps, deletingSteps, switchedBackend } from "./backend-steps.ts";
import { restoringSteps, savingSteps } from "./data-steps.ts";
import { deploySteps } from "./deploy-steps.ts";
import { isMoved, leavingStep } from "./place.ts";
import { layerSteps, releaseSteps } from "./release-steps.ts";
import { gettingSteps, retiringSteps } from "./secret-steps.ts";
import { type Step, step } from "./step.ts";

/**
 * What an operator does to get from one deployment to the other, in order: for each change there is a step, and none without one.
 * What could be lost is saved first.
 */
export function stepsFor(
  before: Deployment,
  now: RenderedDeployment,
  changes: Changes,
  data: readonly DataAtRisk[],
): readonly Step[] {
  const after = now.deployment;
  const switched = switchedBackend(before, after);
  const moved = isMoved(before, after);
  return [
    ...savingSteps(data),
    ...gettingSteps(changes, after),
    ...(switched === null ? [] : backendSteps(before, after, switched)),
    ...releaseSteps(before, after),
    ...deploySteps(before, now, changes),
    ...layerSteps(before, after),
    ...restoringSteps(data),
    ...(switched === null ? [] : [step(["backend"], "start one agent, and let it run a command and call core")]),
    ...(moved && before.target !== null && before.workloads.length > 0 ? [leavingStep(before, ["data"])] : []),
    // Whoever deletes the old computers needs their key.
    ...(switched === null ? [] : deletingSteps(before)),
    ...retiringSteps(before, after, changes),
  ];
}
