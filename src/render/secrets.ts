import { groupBy } from "../base/group-by.ts";
import { compareText } from "../base/text-order.ts";
import type { Deployment, Secret } from "../deployment/deployment.ts";

/** A secret as one workload sees it: `env` is the name inside, `secret` the catalogue entry behind it. */
export interface WorkloadSecret {
  readonly env: string;
  readonly secret: Secret;
}

/** The secrets that are delivered to each workload, by its name, sorted by the name inside it. */
export function secretsByWorkload({ secrets }: Deployment): ReadonlyMap<string, readonly WorkloadSecret[]> {
  const delivered = secrets.flatMap((secret) =>
    secret.destinations.map(({ workload, env }) => ({ workload, env, secret })),
  );
  return groupBy(
    delivered.sort((a, b) => compareText(a.env, b.env)),
    ({ workload }) => workload,
  );
}

/** The value of a secret in `.env`, the last one where it stands twice; null where it is missing or blank. */
export function secretValue({ env }: Deployment, { name }: Secret): string | null {
  const value = env?.values.get(name) ?? "";
  return value.trim() === "" ? null : value;
}

/** The names of the secrets that have a value in `.env`; null where there is no `.env`. */
export function secretsWithValue(deployment: Deployment): readonly string[] | null {
  return deployment.env === null
    ? null
    : deployment.secrets.filter((secret) => secretValue(deployment, secret) !== null).map((secret) => secret.name);
}
