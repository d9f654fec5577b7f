import type { Deployment, Workload } from "../deployment/deployment.ts";
import type { Refusal } from "./artifact.ts";
import { refuse } from "./refusal.ts";
import { workloadSecrets } from "./workload-secrets.ts";

/** Refuses an artifact for each name that a workload would get both plainly and as a secret. `why` says what its reader makes of that. */
export function refuseNamesTwice(deployment: Deployment, workload: Workload, artifact: string, why: string): readonly Refusal[] {
  const plain = new Set(workload.environment.map((entry) => entry.name));
  const names = workloadSecrets(deployment, workload).flatMap(({ env }) => (plain.has(env) ? [env] : []));
  return names.map((name) =>
    refuse(deployment, {
      artifact,
      rule: "render/name-twice",
      path: ["env", workload.name, name],
      message: `\`${name}\` reaches \`${workload.name}\` both as a plain value and as a secret`,
      help: `keep one of the two: ${why}`,
    }),
  );
}
