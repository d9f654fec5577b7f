import { secretRows } from "../../catalog/secrets.ts";
import type { Deployment, Secret } from "../../deployment/deployment.ts";
import { conditionReason } from "../../deployment/secrets/condition.ts";
import type { FindAffected } from "../artifacts.ts";
import { supplyText } from "../deployment-view.ts";
import { locationView } from "../provenance.ts";

/** The secret of this name, and the secrets that arrive in a workload as `workload.NAME` or `NAME`. */
export function explainSecret(deployment: Deployment, thing: string, findAffected: FindAffected) {
  const found = deployment.secrets.filter(
    (secret) =>
      secret.name === thing ||
      secret.destinations.some(({ workload, env }) => thing === env || thing === `${workload}.${env}`),
  );
  if (found.length === 0) return explainUnused(deployment, thing);
  return found.map((secret) => {
    const secrets = deployment.secrets.filter(({ name }) => name !== secret.name);
    return explainOne(deployment, secret, true, findAffected({ ...deployment, secrets }));
  });
}

/** A secret of the catalogue, used by the deployment or not. */
function explainOne(deployment: Deployment, secret: Secret, used: boolean, artifacts: readonly string[] | null) {
  const { name, description, required, managedBy, reason, because, destinations, source } = secret;
  const { env } = deployment;
  return {
    kind: "secret" as const,
    name,
    description,
    used,
    required,
    managedBy,
    reason,
    because: because.map((path) => locationView(deployment, path)),
    destinations,
    making: supplyText(secret, deployment),
    // True where `secrets set --generate` makes it.
    generated: source.kind !== "operator",
    // Null where there is no env file.
    hasValue: env === null ? null : (env.values.get(name)?.trim() ?? "") !== "",
    artifacts,
  };
}

function explainUnused(deployment: Deployment, name: string) {
  const rows = secretRows(deployment.release.release).filter((row) => row.name === name);
  const [first] = rows;
  if (first === undefined) return [];
  const conditions = rows.map(({ service, when }) => {
    const ofService = service === "core" ? [] : [`\`services\` has \`${service}\``];
    return [...(when === undefined ? [] : [conditionReason(when, deployment).reason]), ...ofService].join(" and ");
  });
  const secret: Secret = {
    name,
    description: first.description,
    required: false,
    managedBy: "operator",
    reason: `this deployment does not use it; it would if ${[...new Set(conditions)].join(", or if ")}`,
    because: [],
    source: first.source,
    destinations: [],
  };
  return [explainOne(deployment, secret, false, [])];
}
