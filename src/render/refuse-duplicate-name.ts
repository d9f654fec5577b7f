import type { Deployment, Workload } from "../deployment/deployment.ts";
import { isWrittenEnv, findEnvConflicts } from "../deployment/env-conflicts.ts";
import { provenancePaths } from "../deployment/provenance.ts";
import type { Refusal } from "./artifact.ts";
import { refuse } from "./refusal.ts";

/** Refuses an artifact for each name that a workload would get both plainly and as a secret. `why` says what its reader makes of that. */
export function refuseDuplicateNames(
  deployment: Deployment,
  workload: Workload,
  artifact: string,
  why: string,
): readonly Refusal[] {
  return findEnvConflicts(deployment)
    .filter((twice) => twice.workload === workload)
    .map(({ entry, secret }) =>
      refuse(deployment, {
        artifact,
        rule: "render/name-twice",
        path: (isWrittenEnv(entry) ? provenancePaths(entry.provenance) : secret.because)[0] ?? workload.path,
        message: `\`${entry.name}\` reaches \`${workload.name}\` both as a plain value and as a secret`,
        help: `keep one of the two: ${why}`,
      }),
    );
}
