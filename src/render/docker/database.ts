import type { Deployment } from "../../deployment/deployment.ts";
import type { RenderContext } from "../artifact.ts";

/** Environment name under which core finds its database. */
export const DATABASE_URL = "DATABASE_URL";

/** Name of the bundled database inside Postgres, and of its superuser. */
export const POSTGRES_DB = "qm";
export const POSTGRES_USER = "postgres";

/**
 * True when the deployment has no database of its own, so that compose.yaml brings one: the config routes no secret to
 * core's DATABASE_URL, and no secret of that name has a value.
 */
export function bringsPostgres({ deployment, options }: RenderContext): boolean {
  const core = deployment.workloads.some((workload) => workload.name === "core");
  return core && !routesDatabase(deployment) && !options.secretsWithValue.has(DATABASE_URL);
}

/** True when `secretEnv.core` says where core's DATABASE_URL comes from. */
export function routesDatabase(deployment: Deployment): boolean {
  return deployment.secrets.some(
    (secret) =>
      secret.required && secret.destinations.some(({ workload, env }) => workload === "core" && env === DATABASE_URL),
  );
}
