import { groupBy } from "../../base/group-by.ts";
import { createMemo } from "../../base/memo.ts";
import type { Release } from "../../catalog/releases/release.ts";
import type { Condition } from "../../catalog/secret-row.ts";
import { secretRows } from "../../catalog/secrets.ts";
import type { ServiceSettingKey } from "../../catalog/settings/index.ts";
import { selectingPlaces } from "../backend-selection.ts";
import { settingValue, writtenSetting } from "../env-values.ts";
import { servicePath } from "../plugins.ts";
import { compareText } from "../../base/text-order.ts";
import type { DeploymentChoices, Secret } from "../deployment.ts";
import {
  dockerSecrets,
  pluginSecrets,
  releaseSecrets,
  routedSecrets,
  sandboxSecrets,
  type SecretUse,
} from "./sources.ts";

/** The settings of qm that some condition of a release's secrets asks for. */
function conditionSettings(release: Release): readonly ServiceSettingKey[] {
  const visit = (condition: Condition): ServiceSettingKey[] => {
    if (condition.kind === "env") return [condition.setting];
    return condition.kind === "all" || condition.kind === "any" ? condition.of.flatMap(visit) : [];
  };
  return [...new Set(secretRows(release).flatMap(({ when }) => (when === undefined ? [] : visit(when))))];
}

/** Everything that the secrets of a deployment rest on: what is made of them may read nothing else. */
function secretFacts(choices: DeploymentChoices, settings: readonly ServiceSettingKey[]): string {
  const { release, target, services, document, sandbox, model, config, plugins } = choices;
  return JSON.stringify([
    target,
    services.map((service) => [service, servicePath(document, service)]),
    sandbox.selected.map(({ name }) => [name, selectingPlaces(sandbox, name)]),
    [sandbox.effective?.name, sandbox.effective?.provenance],
    model,
    settings.map((setting) => [
      settingValue(config, release.release, setting),
      (writtenSetting(config, release.release, setting) ?? "") !== "",
    ]),
    [config.aws?.backgroundWorkControl, config.secretEnv, config.sandbox?.secretEnv],
    plugins.map(({ name, path, secrets, coreAccess }) => [name, path, secrets, coreAccess]),
  ]);
}

/** Makes the catalogues of a release, equal ones once: most deployments of a fleet have the same secrets. */
function createCatalogue(release: Release): (choices: DeploymentChoices) => readonly Secret[] {
  const settings = conditionSettings(release);
  const memo = createMemo<readonly Secret[]>(256);
  return (choices) => memo(secretFacts(choices, settings), () => collectSecrets(choices));
}

const CATALOGUES = new WeakMap<Release, ReturnType<typeof createCatalogue>>();

/**
 * The secrets catalogue of a deployment, sorted by name. Two names may have one destination (rules report it), and a
 * destination may also stand in a workload's environment: the secret wins there.
 */
export function listSecrets(choices: DeploymentChoices): readonly Secret[] {
  const { release } = choices.release;
  const catalogue = CATALOGUES.get(release) ?? createCatalogue(release);
  CATALOGUES.set(release, catalogue);
  return catalogue(choices);
}

function collectSecrets(choices: DeploymentChoices): readonly Secret[] {
  const uses = [
    ...releaseSecrets(choices),
    ...dockerSecrets(choices),
    ...pluginSecrets(choices),
    ...routedSecrets(choices),
    ...sandboxSecrets(choices),
  ];
  return [...groupBy(uses, ({ name }) => name).values()].map(merge).sort((a, b) => compareText(a.name, b.name));
}

/** Merges the uses of one secret: description, manager and source of the first, destinations united, required or-ed. */
function merge(uses: readonly [SecretUse, ...SecretUse[]]): Secret {
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
      (path) => path.join("\0"),
    ),
    source: first.source,
    destinations: unique(
      uses.map(({ destination }) => destination),
      ({ workload, env }) => `${workload} ${env}`,
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

function enumerate(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function unique<T>(items: T[], key: (item: T) => string): T[] {
  if (items.length < 2) return items;
  return [...new Map(items.map((item) => [key(item), item] as const)).values()];
}
