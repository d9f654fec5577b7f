import {
  fromOperator,
  HEX32,
  LASTING_HEX32,
  type SecretManager,
  type SecretRow,
  type SecretSource,
} from "../../catalog/secret-row.ts";
import { secretRows } from "../../catalog/secrets.ts";
import { nameOf } from "../../catalog/settings/index.ts";
import { printPath, type ConfigPath } from "../../base/config-path.ts";
import { compareText } from "../../base/text-order.ts";
import type { ServiceName } from "../../config/written-config.ts";
import type { DeploymentChoices, SecretDestination } from "../deployment.ts";
import { type Plugin, servicePath } from "../plugins.ts";
import { conditionReason, holds } from "./condition.ts";

/** The workload name of the Postgres container that the docker target brings. */
export const POSTGRES_WORKLOAD = "pg";

/** One use of a secret: why it is in the catalogue, and where it then goes. */
export interface SecretUse {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly managedBy: SecretManager;
  /** A clause; or the name of a service that always reads the secret: these are put into one clause. */
  readonly reason: string | { readonly readBy: string };
  readonly because: readonly ConfigPath[];
  readonly source: SecretSource;
  readonly destination: SecretDestination;
}

/** What the release and the backends demand or can use. */
export function releaseSecrets(choices: DeploymentChoices): SecretUse[] {
  const { services, document } = choices;
  // Core is in every deployment, so that its plain rows rest on nothing that the config could change.
  const places = new Map<ServiceName, readonly ConfigPath[]>(
    services.map((service) => [service, service === "core" ? [] : [servicePath(document, service)]]),
  );
  const uses: SecretUse[] = [];
  for (const row of secretRows(choices.release.release)) {
    const place = places.get(row.service);
    const use = place === undefined ? null : rowUse(row, choices, place);
    // What the target would supply gives way to a secret of the deployer's own under the same name, as it does in qm.
    if (use !== null && !(use.managedBy === "fly" && isRouted(choices, use.destination))) uses.push(use);
  }
  return uses;
}

/** What a row of an enabled service is in this deployment; null where it does not count. `place` names the service. */
function rowUse(row: SecretRow, choices: DeploymentChoices, place: readonly ConfigPath[]): SecretUse | null {
  const { when } = row;
  const isMet = when === undefined || holds(when, choices);
  if (!isMet && row.otherwise !== "optional") return null;
  const { release } = choices.release;
  const { target } = choices;
  const stated = when === undefined ? null : conditionReason(when, choices);
  // Every use is written out as one literal: it is made some forty times for each deployment.
  return {
    name: row.name,
    description: row.description,
    required: isMet && row.optional !== true,
    managedBy: (target === null ? undefined : row.managedBy?.[target]) ?? "operator",
    reason:
      stated === null
        ? { readBy: row.service }
        : isMet
          ? stated.reason
          : `\`${row.service}\` can use it; required where ${stated.reason}`,
    because: stated === null ? place : isMet ? [...stated.because, ...place] : stated.because,
    source: row.source,
    destination: {
      workload: release.host[row.service],
      env: row.setting === undefined ? row.name : nameOf(release, row.setting),
    },
  };
}

/**
 * The secrets of the Postgres container on docker. Neither is required: qm's own CLI makes a password itself and the
 * contract names none, so that a deployment which passes qm's check passes ours. The rendered compose.yaml refuses to
 * start without one of the two.
 */
export function dockerSecrets(choices: DeploymentChoices): SecretUse[] {
  if (choices.target !== "docker" || !choices.services.includes("core")) return [];
  const { release } = choices.release;
  const password = "POSTGRES_PASSWORD";
  const env = nameOf(release, "core.databaseUrl");
  const shared = { required: false, managedBy: "operator", because: [["target"]] } as const;
  const uses: SecretUse[] = [
    {
      ...shared,
      name: password,
      description: "Password of the Postgres container; a database keeps the one that it was made with",
      reason:
        "the rendered compose.yaml makes its Postgres with it and does not start without; qm's own CLI makes one by itself",
      source: LASTING_HEX32,
      destination: { workload: POSTGRES_WORKLOAD, env: password },
    },
    {
      ...shared,
      name: "DATABASE_URL",
      description: "Postgres connection of core, in place of the Postgres container",
      reason: "core uses it instead of the Postgres container that the docker target brings",
      source: fromOperator(null),
      destination: { workload: release.host.core, env },
    },
  ];
  // Where `secretEnv` says under which name core's DATABASE_URL is kept, a row of ours would contest the place.
  return isRouted(choices, { workload: "core", env }) ? uses.slice(0, 1) : uses;
}

/** True where `secretEnv` says which secret an environment name of a workload is. */
function isRouted({ services, config, release }: DeploymentChoices, { workload, env }: SecretDestination): boolean {
  return services.some(
    (service) => release.release.host[service] === workload && Boolean(config.secretEnv?.[service]?.[env]),
  );
}

/** What plugins read: their own secrets, and the key to core for those that may call it. */
export function pluginSecrets({ plugins, release, services }: DeploymentChoices): SecretUse[] {
  const env = nameOf(release.release, "core.signingSecret");
  return plugins.flatMap((plugin) => {
    const key: SecretUse = {
      ...declared("CORE_SIGNING_SECRET", "Signs requests to core", plugin.path, { workload: plugin.name, env }),
      reason: { readBy: plugin.name },
      source: HEX32,
    };
    // Without a service of ours there is no core that could be called.
    return [...(plugin.coreAccess && services.length > 0 ? [key] : []), ...ownSecrets(plugin)];
  });
}

function ownSecrets({ name: workload, path, secrets }: Plugin): SecretUse[] {
  return secrets.flatMap(({ name, description, required: written }) => {
    if (name === undefined || name === "") return [];
    const required = written !== false;
    const text = description ?? `Secret of the ${workload} plugin`;
    const reason = `the plugin \`${workload}\` ${required ? "needs" : "can use"} it`;
    return { ...declared(name, text, [...path, "secrets"], { workload, env: name }), required, reason };
  });
}

/** What `secretEnv` routes to enabled services: always required, from store name to env name. */
export function routedSecrets({ services, config, release }: DeploymentChoices): SecretUse[] {
  return [...services].sort(compareText).flatMap((service) =>
    Object.entries(config.secretEnv?.[service] ?? {})
      .filter(([env, name]) => name !== "" && env !== "")
      .sort((a, b) => compareText(a[0], b[0]))
      .map(([env, name]) =>
        declared(name, `Secret that the configuration hands to ${service}`, ["secretEnv", service, env], {
          workload: release.release.host[service],
          env,
        }),
      ),
  );
}

/** What `sandbox.secretEnv` hands to agents, where a selected backend delivers it. */
export function sandboxSecrets({ services, config, sandbox, release }: DeploymentChoices): SecretUse[] {
  const taking = sandbox.selected.find((backend) => backend.fields(release.release).includes("secretEnv"));
  const prefix = taking?.sandboxEnvPrefix ?? null;
  if (prefix === null || !services.includes("core")) return [];
  return (config.sandbox?.secretEnv ?? [])
    .filter((name) => name !== "")
    .map((name) =>
      declared(name, "Secret that every agent sees in its environment", ["sandbox", "secretEnv"], {
        workload: release.release.host.core,
        env: prefix + name,
      }),
    );
}

/** A secret that the config declares at this place. */
function declared(name: string, description: string, path: ConfigPath, destination: SecretDestination): SecretUse {
  return {
    name,
    description,
    required: true,
    managedBy: "operator",
    reason: `\`${printPath(path)}\` names it`,
    because: [path],
    source: fromOperator(null),
    destination,
  };
}
