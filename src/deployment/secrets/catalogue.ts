import { compareText } from "../../base/text-order.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import type { DeploymentChoices, Secret, SecretDestination } from "../deployment.ts";
import {
  dockerSecrets,
  pluginSecrets,
  releaseSecrets,
  routedSecrets,
  sandboxSecrets,
  type SecretUse,
} from "./sources.ts";

type Uses = readonly [SecretUse, ...SecretUse[]];

/**
 * The secrets catalogue of a deployment, sorted by name. Two names may have one destination (rules report it), and a
 * destination may also stand in a workload's environment: the secret wins there.
 */
export function listSecrets(choices: DeploymentChoices): readonly Secret[] {
  const uses = [
    ...releaseSecrets(choices),
    ...dockerSecrets(choices),
    ...pluginSecrets(choices),
    ...routedSecrets(choices),
    ...sandboxSecrets(choices),
  ];
  const byName = new Map<string, [SecretUse, ...SecretUse[]]>();
  for (const use of uses) {
    const known = byName.get(use.name);
    if (known === undefined) byName.set(use.name, [use]);
    else known.push(use);
  }
  return [...byName.values()].map(merge).sort((a, b) => compareText(a.name, b.name));
}

/** Merges the uses of one secret: description, manager and source of the first, destinations united, required or-ed. */
function merge(uses: Uses): Secret {
  const [first] = uses;
  const required = uses.some((use) => use.required);
  // A secret that is required for one reason may be optional for others: only what decides is told.
  const deciding = uses.length === 1 ? uses : uses.filter((use) => use.required === required);
  return {
    name: first.name,
    description: first.description,
    required,
    managedBy: first.managedBy,
    reason: phrase(deciding, required),
    because: unique(
      deciding.flatMap(({ because }) => because),
      pathKey,
    ),
    source: first.source,
    destinations: unique(
      uses.map(({ destination }) => destination),
      destinationKey,
    ).sort((a, b) => compareText(a.workload, b.workload) || compareText(a.env, b.env)),
  };
}

function phrase(uses: readonly SecretUse[], required: boolean): string {
  const readers = new Set<string>();
  const clauses = new Set<string>();
  for (const { reason } of uses) {
    if (typeof reason === "string") clauses.add(reason);
    else readers.add(`\`${reason.readBy}\``);
  }
  if (readers.size === 0) return [...clauses].join("; ");
  const verb = required ? (readers.size === 1 ? "needs" : "need") : "can use";
  return [`${enumerate([...readers])} ${verb} it`, ...clauses].join("; ");
}

function pathKey(path: ConfigPath): string {
  return path.join("\0");
}

function destinationKey({ workload, env }: SecretDestination): string {
  return `${workload} ${env}`;
}

function enumerate(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function unique<T>(items: T[], key: (item: T) => string): T[] {
  if (items.length < 2) return items;
  return [...new Map(items.map((item) => [key(item), item] as const)).values()];
}
