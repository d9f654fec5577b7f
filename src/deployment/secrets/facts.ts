import type { Condition } from "../../catalog/condition.ts";
import type { Release } from "../../catalog/releases/release.ts";
import { secretRows } from "../../catalog/secret-rows.ts";
import type { ServiceName, TargetName, WrittenConfig } from "../../config/written-config.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { memoizeByObject } from "../../base/memo.ts";
import type { DeploymentChoices } from "../choices.ts";
import { coreValue, envValue, type PlacedValue } from "../env-values.ts";
import type { ModelChoice } from "../model-choice.ts";
import { servicePath } from "../places.ts";
import type { Plugin } from "../plugins.ts";
import { backendTaking, selectingPlaces } from "../backend-selection.ts";

/** A selected backend, and the places that select it. */
export interface SelectedBackend {
  readonly name: string;
  readonly places: readonly ConfigPath[];
  /** True where core runs it although nothing of the config names it. */
  readonly byDefault: boolean;
}

/** What a plugin wants of the secrets catalogue. */
export type PluginWants = Pick<Plugin, "name" | "path" | "secrets" | "coreAccess">;

/**
 * Everything that the secrets catalogue of a deployment rests on. It is made from these facts alone and they are plain
 * data, so that deployments whose facts print alike have the same catalogue.
 */
export interface SecretFacts {
  readonly release: Release;
  readonly target: TargetName | null;
  /** Enabled services, without duplicates, in config order. */
  readonly services: readonly ServiceName[];
  /** Where `services` names each enabled service, in the same order. */
  readonly servicePaths: readonly ConfigPath[];
  readonly backends: readonly SelectedBackend[];
  readonly model: ModelChoice;
  /** What stands in `env` under the names that conditions ask for, by service. */
  readonly env: { readonly [service in ServiceName]?: { readonly [name: string]: PlacedValue } };
  readonly backgroundWorkControl: boolean;
  readonly secretEnv: WrittenConfig["secretEnv"];
  readonly plugins: readonly PluginWants[];
  /** What `sandbox.secretEnv` hands to agents, and the prefix that it gets; null where nothing delivers it. */
  readonly agents: { readonly names: readonly string[]; readonly prefix: string } | null;
}

/** Gathers the facts of a deployment. */
export function secretFacts(basis: DeploymentChoices): SecretFacts {
  const { release, target, services, config, document, model } = basis;
  return {
    release,
    target,
    services,
    servicePaths: services.map((service) => servicePath(document, service)),
    backends: basis.sandbox.selected.map(({ name }) => selectedBackend(name, basis)),
    model,
    env: askedEnv(basis),
    backgroundWorkControl: target === "aws" && config.aws?.backgroundWorkControl === true,
    secretEnv: config.secretEnv,
    plugins: basis.plugins.map(({ name, path, secrets, coreAccess }) => ({ name, path, secrets, coreAccess })),
    agents: agentSecrets(basis),
  };
}

/** The config place that a service's being enabled rests on. */
export function placeOfService({ services, servicePaths }: SecretFacts, service: ServiceName): ConfigPath {
  return servicePaths[services.indexOf(service)] ?? ["services"];
}

function selectedBackend(name: string, { sandbox }: DeploymentChoices): SelectedBackend {
  const { effective } = sandbox;
  return {
    name,
    places: selectingPlaces(sandbox, name),
    byDefault: effective?.name === name && effective.provenance.kind !== "config",
  };
}

function agentSecrets({ sandbox, release, services, config }: DeploymentChoices): SecretFacts["agents"] {
  const names = config.sandbox?.secretEnv;
  const prefix = backendTaking(sandbox.selected, release, "secretEnv")?.sandboxEnvPrefix ?? null;
  return names === undefined || prefix === null || !services.includes("core") ? null : { names, prefix };
}

interface AskedName {
  readonly service: ServiceName;
  readonly name: string;
}

/** The names of `env` that some condition of a release asks for. */
const askedNames = memoizeByObject((release: Release): readonly AskedName[] => {
  const asked = new Map<string, AskedName>();
  const visit = (condition: Condition): void => {
    if (condition.kind === "env") asked.set(`${condition.service}.${condition.name}`, condition);
    if (condition.kind === "all" || condition.kind === "any") condition.of.forEach(visit);
  };
  for (const { when } of secretRows(release)) if (when !== undefined) visit(when);
  return [...asked.values()];
});

function askedEnv({ release, config }: DeploymentChoices): SecretFacts["env"] {
  const env: { [service in ServiceName]?: { [name: string]: PlacedValue } } = {};
  for (const { service, name } of askedNames(release)) {
    const found = service === "core" ? coreValue(config, name) : envValue(config, service, name);
    if (found !== null) (env[service] ??= {})[name] = found;
  }
  return env;
}
