import { secretRows } from "../../catalog/secrets.ts";
import { evaluateCondition } from "../../deployment/secrets/condition.ts";
import type { Deployment, Secret } from "../../deployment/deployment.ts";
import { howToGet } from "../../rules/envfile/how-to-get.ts";
import { locationView } from "../provenance.ts";
import type { Reach } from "./affected-artifacts.ts";
import type { SecretExplanation } from "./explanation.ts";

function hasValue({ env }: Deployment, name: string): boolean | null {
  return env === null ? null : (env.values.get(name)?.trim() ?? "") !== "";
}

function subjectOf(
  deployment: Deployment,
  secret: Secret,
  artifacts: SecretExplanation["artifacts"],
): SecretExplanation {
  return {
    kind: "secret",
    name: secret.name,
    description: secret.description,
    used: true,
    required: secret.required,
    managedBy: secret.managedBy,
    reason: secret.reason,
    because: secret.because.map((path) => locationView(deployment, path)),
    destinations: secret.destinations,
    making:
      secret.managedBy === "operator"
        ? howToGet(secret, deployment).help
        : `${secret.managedBy} puts it into the target's store`,
    generated: secret.source.kind !== "operator",
    hasValue: hasValue(deployment, secret.name),
    artifacts,
  };
}

/** A secret that qm knows and this deployment has no use for. */
function unused(deployment: Deployment, name: string): SecretExplanation[] {
  const rows = secretRows(deployment.release.release).filter((row) => row.name === name);
  const [first] = rows;
  if (first === undefined) return [];
  const grounds = rows.map(({ service, when }) => {
    const parts = [
      ...(when === undefined ? [] : [evaluateCondition(when, deployment).reason]),
      ...(service === "core" ? [] : [`\`services\` has \`${service}\``]),
    ];
    return parts.join(" and ");
  });
  const secret: Secret = {
    name,
    description: first.description,
    required: false,
    managedBy: "operator",
    reason: "",
    because: [],
    source: first.source,
    destinations: [],
  };
  return [
    {
      ...subjectOf(deployment, secret, []),
      used: false,
      reason: `this deployment does not use it; it would if ${[...new Set(grounds)].join(", or if ")}`,
    },
  ];
}

/** The secret of this name, and the secrets that arrive in a workload as `workload.NAME` or `NAME`. */
export function explainSecret(deployment: Deployment, thing: string, reach: Reach): SecretExplanation[] {
  const found = deployment.secrets.filter(
    (secret) =>
      secret.name === thing ||
      secret.destinations.some(({ workload, env }) => thing === env || thing === `${workload}.${env}`),
  );
  return found.length > 0
    ? found.map((secret) => subjectOf(deployment, secret, reach.ofSecret(secret.name)))
    : unused(deployment, thing);
}
