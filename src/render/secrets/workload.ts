import type { Deployment, Workload } from "../../deployment/deployment.ts";
import type { EnvPair } from "../../envfile/index.ts";
import type { Refusal } from "../artifact.ts";
import { workloadSecrets } from "../workload-secrets.ts";
import { deliver } from "./values.ts";

/** The secrets of a workload with their values, and what is missing. */
export function deliveries(
  deployment: Deployment,
  workload: Pick<Workload, "name">,
  artifact: string,
): { readonly pairs: EnvPair[]; readonly refusals: Refusal[] } {
  const pairs: EnvPair[] = [];
  const refusals: Refusal[] = [];
  for (const { env, secret } of workloadSecrets(deployment, workload)) {
    const delivery = deliver(deployment, secret, artifact);
    if (delivery === null) continue;
    if ("refusal" in delivery) refusals.push(delivery.refusal);
    else pairs.push({ name: env, value: delivery.value });
  }
  return { pairs, refusals };
}
