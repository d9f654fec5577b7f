import { compareText } from "../base/text-order.ts";
import type { Deployment, Secret, Workload } from "../deployment/deployment.ts";

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

/** The value of a secret in `.env`, the last one where it stands twice; null where it is missing or blank. */
export function secretValue({ env }: Deployment, { name }: Secret): string | null {
  const value = env?.entries.findLast((entry) => entry.key === name)?.value ?? "";
  return value.trim() === "" ? null : value;
}

/** The names of the secrets that have a value in `.env`; null where there is no `.env`. */
export function secretsWithValue(deployment: Deployment): readonly string[] | null {
  return deployment.env === null
    ? null
    : deployment.secrets.filter((secret) => secretValue(deployment, secret) !== null).map((secret) => secret.name);
}
