import { nameOf } from "../catalog/settings/index.ts";
import type { Deployment, Secret } from "../deployment/deployment.ts";
import type { RenderOptions } from "./artifact.ts";

/** The environment name under which core finds its database. */
export function databaseUrlName({ release }: Deployment): string {
  return nameOf(release.release, "core.databaseUrl");
}

/** Name of the bundled database inside Postgres, and of its superuser. */
export const POSTGRES_DB = "qm";
export const POSTGRES_USER = "postgres";

/** True for a secret that core gets as its database's address. */
export function isDatabaseUrl(secret: Secret, deployment: Deployment): boolean {
  const name = databaseUrlName(deployment);
  return secret.destinations.some(({ workload, env }) => workload === "core" && env === name);
}

/** True when `secretEnv.core` says where core's DATABASE_URL comes from. */
export function routesDatabase(deployment: Deployment): boolean {
  return deployment.secrets.some((secret) => secret.required && isDatabaseUrl(secret, deployment));
}

/** What {@link bringsPostgres} depends on. */
export interface DatabaseContext {
  readonly deployment: Deployment;
  readonly options: Pick<RenderOptions, "secretsWithValue">;
}

/**
 * True when the deployment has no database of its own, so that compose.yaml brings one: the config routes no secret to
 * core's DATABASE_URL, and the secret of that name has no value.
 */
export function bringsPostgres({ deployment, options }: DatabaseContext): boolean {
  const { workloads, secrets } = deployment;
  const isGiven = secrets.some(
    (secret) => options.secretsWithValue.has(secret.name) && isDatabaseUrl(secret, deployment),
  );
  return workloads.some(({ name }) => name === "core") && !routesDatabase(deployment) && !isGiven;
}
