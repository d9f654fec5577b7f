import type { SecretSource } from "../../catalog/secret-row.ts";
import { printPath, type ConfigPath } from "../../base/config-path.ts";
import { compareText } from "../../base/text-order.ts";
import type { SecretDestination } from "../deployment.ts";
import type { Ground, SecretCatalogue } from "./catalogue.ts";
import type { PluginWants, SecretFacts } from "./facts.ts";

const FROM_OPERATOR: SecretSource = { kind: "operator", hint: null };

/** Adds what plugins read: their own secrets, and the key to core for those that may call it. */
export function addPluginSecrets(catalogue: SecretCatalogue, facts: SecretFacts): void {
  for (const plugin of facts.plugins) {
    if (plugin.coreAccess && catalogue.has("CORE_SIGNING_SECRET")) {
      catalogue.add({
        ...declared("CORE_SIGNING_SECRET", "Signs requests to core", plugin.path, {
          workload: plugin.name,
          env: "CORE_SIGNING_SECRET",
        }),
        reason: { readBy: plugin.name },
        source: { kind: "hex32" },
      });
    }
    addOwnSecrets(catalogue, plugin);
  }
}

function addOwnSecrets(catalogue: SecretCatalogue, plugin: PluginWants): void {
  const path: ConfigPath = [...plugin.path, "secrets"];
  for (const secret of plugin.secrets) {
    if (secret.name === undefined || secret.name === "") continue;
    const required = secret.required !== false;
    catalogue.add({
      ...declared(secret.name, secret.description ?? `Secret of the ${plugin.name} plugin`, path, {
        workload: plugin.name,
        env: secret.name,
      }),
      required,
      reason: required ? `the plugin \`${plugin.name}\` needs it` : `the plugin \`${plugin.name}\` can use it`,
    });
  }
}

/** Adds what `secretEnv` routes to enabled services: always required, from store name to env name. */
export function addRoutedSecrets(catalogue: SecretCatalogue, facts: SecretFacts): void {
  for (const service of [...facts.services].sort(compareText)) {
    for (const [env, name] of Object.entries(facts.secretEnv?.[service] ?? {}).sort((a, b) =>
      compareText(a[0], b[0]),
    )) {
      if (name === "" || env === "") continue;
      const destination = { workload: facts.release.host[service], env };
      catalogue.add(
        declared(name, `Secret that the configuration hands to ${service}`, ["secretEnv", service, env], destination),
      );
    }
  }
}

/** Adds what `sandbox.secretEnv` hands to agents, where a selected backend delivers it. */
export function addSandboxSecrets(catalogue: SecretCatalogue, facts: SecretFacts): void {
  for (const name of facts.agents?.names ?? []) {
    if (name === "") continue;
    const destination = { workload: facts.release.host.core, env: `${facts.agents?.prefix}${name}` };
    catalogue.add(
      declared(name, "Secret that every agent sees in its environment", ["sandbox", "secretEnv"], destination),
    );
  }
}

/** A secret that the config declares at this place. */
function declared(name: string, description: string, path: ConfigPath, destination: SecretDestination): Ground {
  return {
    name,
    description,
    required: true,
    managedBy: "operator",
    reason: `\`${printPath(path)}\` names it`,
    because: [path],
    source: FROM_OPERATOR,
    destination,
  };
}
