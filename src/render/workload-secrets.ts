import type { Deployment, Secret, Workload } from "../deployment/deployment.ts";
import { compareText } from "../base/text-order.ts";

/** A secret as one workload sees it: `env` is the name inside, `secret` the catalogue entry behind it. */
export interface WorkloadSecret {
  readonly env: string;
  readonly secret: Secret;
}

/** The secrets that are delivered to a workload, sorted by the name inside it. */
export function workloadSecrets(deployment: Deployment, workload: Pick<Workload, "name">): readonly WorkloadSecret[] {
  return deployment.secrets
    .flatMap((secret) =>
      secret.destinations
        .filter((destination) => destination.workload === workload.name)
        .map((destination) => ({ env: destination.env, secret })),
    )
    .sort((a, b) => compareText(a.env, b.env));
}

/** True when `.env` gives the secret a value that is not blank. */
export function hasValue(deployment: Deployment, secret: Secret): boolean {
  return (secretValue(deployment, secret)?.trim() ?? "") !== "";
}

/** The value in `.env`, the last one where it stands twice; null when it has none. */
export function secretValue(deployment: Deployment, secret: Secret): string | null {
  return deployment.env?.entries.findLast((entry) => entry.key === secret.name)?.value ?? null;
}
