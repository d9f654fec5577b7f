import type { SecretCatalogue } from "./catalogue.ts";
import type { SecretFacts } from "./facts.ts";

/** The workload name of the Postgres container that the docker target brings. */
export const POSTGRES_WORKLOAD = "pg";

const DATABASE_URL = "DATABASE_URL";

/**
 * Adds the secrets of the Postgres container on docker. Neither is required: qm's own CLI makes a password itself and the
 * contract names none, so that a deployment which passes qm's check passes ours. The rendered compose.yaml refuses to
 * start without one of the two.
 */
export function addDockerSecrets(catalogue: SecretCatalogue, facts: SecretFacts): void {
  if (facts.target !== "docker" || !facts.services.includes("core")) return;
  const shared = { required: false, managedBy: "operator", because: [["target"]] } as const;
  catalogue.add({
    ...shared,
    name: "POSTGRES_PASSWORD",
    description: "Password of the Postgres container; a database keeps the one that it was made with",
    reason:
      "the rendered compose.yaml makes its Postgres with it and does not start without; qm's own CLI makes one by itself",
    source: { kind: "hex32" },
    destination: { workload: POSTGRES_WORKLOAD, env: "POSTGRES_PASSWORD" },
  });
  if (routesDatabase(facts)) return;
  catalogue.add({
    ...shared,
    name: DATABASE_URL,
    description: "Postgres connection of core, in place of the Postgres container",
    reason: "core uses it instead of the Postgres container that the docker target brings",
    source: { kind: "operator", hint: null },
    destination: { workload: facts.release.host.core, env: DATABASE_URL },
  });
}

/** True when `secretEnv` says under which name core's DATABASE_URL is kept: a row of ours beside it would contest the place. */
function routesDatabase({ services, secretEnv, release }: SecretFacts): boolean {
  return services.some(
    (service) => release.host[service] === release.host.core && Boolean(secretEnv?.[service]?.[DATABASE_URL]),
  );
}
