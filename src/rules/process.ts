import { memoizeLatest } from "../base/memo.ts";
import type { ConfigPath } from "../base/config-path.ts";
import { nameOf, type SettingKey } from "../catalog/settings/index.ts";
import type { ServiceName } from "../config/written-config.ts";
import { findSecretPlaceholder } from "../config/placeholder.ts";
import type { EnvEntry } from "../envfile/index.ts";
import { entriesByName, inEnvFile } from "./envfile/entries.ts";
import type { Deployment, Secret, Workload } from "../deployment/deployment.ts";
import type { EnvironmentEntry } from "../deployment/provenance.ts";
import { provenancePaths } from "../deployment/provenance.ts";
import { field, type FindingPlace, isUnsoundEnv } from "./rule.ts";

/** A service as it starts, with what it finds in its environment as far as the config tells: for rules that relate values. */
export interface ServiceProcess {
  /** False where `NODE_ENV` says anything but `production`, which every image of qm sets: much is then not demanded. */
  readonly isProduction: boolean;
  /** The text that the service gets, spaces and all; undefined where nothing sets it, or a secret without a value here. */
  text(key: SettingKey): string | undefined;
  /** True where the service finds anything but the empty text, which is all that qm often asks. A secret counts. */
  isSet(key: SettingKey): boolean;
  /** True where it is certain that the service finds nothing or the empty text. */
  lacks(key: SettingKey): boolean;
  /** The field that decides a setting: where it is written, what it is made from, or where it would stand. */
  fieldOf(key: SettingKey): ConfigPath;
  /** The same as a place of a finding, at its value where there is one. */
  place(key: SettingKey): FindingPlace;
  /** The same as messages name it. */
  named(key: SettingKey): string;
}

/** What is made of a deployment is asked for by many rules. */
const processesOf = memoizeLatest((deployment: Deployment) => {
  const known = new Map<ServiceName, ServiceProcess | null>();
  return (service: ServiceName): ServiceProcess | null => {
    let found = known.get(service);
    if (found === undefined) known.set(service, (found = makeProcess(deployment, service)));
    return found;
  };
});

/** The process of an enabled service; null where the service is off. A guest finds what its host finds. */
export function processOf(deployment: Deployment, service: ServiceName): ServiceProcess | null {
  return processesOf(deployment)(service);
}

function makeProcess(deployment: Deployment, service: ServiceName): ServiceProcess | null {
  const { release } = deployment.release;
  const workload = deployment.workloads.find(({ name }) => name === release.host[service]);
  if (workload === undefined || !deployment.services.includes(service)) return null;
  const entries = new Map(workload.environment.map((entry) => [entry.name, entry]));
  const secrets = secretsOf(deployment, workload);
  const given = entriesByName(deployment);
  const entryOf = (key: SettingKey): EnvironmentEntry | undefined => entries.get(nameOf(release, key));
  const secretOf = (key: SettingKey): Secret | undefined => secrets.get(nameOf(release, key));
  const givenOf = (key: SettingKey): EnvEntry | undefined => {
    const entry = given.get(secretOf(key)?.name ?? "");
    const isThere = entry !== undefined && entry.value.trim() !== "" && findSecretPlaceholder(entry.value) === null;
    return isThere ? entry : undefined;
  };
  const text = (key: SettingKey): string | undefined => givenOf(key)?.value ?? entryOf(key)?.value;
  const isSet = (key: SettingKey): boolean => (text(key) ?? "") !== "" || secretOf(key) !== undefined;
  const fieldOf = (key: SettingKey): ConfigPath => {
    const entry = entryOf(key);
    // Of secrets only `secretEnv` says where one becomes a setting.
    const routes = secretOf(key)?.because.filter(([block]) => block === "secretEnv") ?? [];
    const paths = entry === undefined ? routes : provenancePaths(entry.provenance);
    return paths[0] ?? ["env", service, nameOf(release, key)];
  };
  return {
    isProduction: (text(`${service === "slack" ? "core" : service}.nodeEnv`) ?? "production") === "production",
    text,
    isSet,
    lacks: (key) =>
      !isSet(key) &&
      !deployment.broken &&
      !workload.hosts.some((host) => isUnsoundEnv(deployment, host, nameOf(release, key))),
    fieldOf,
    place: (key) => {
      const inFile = givenOf(key);
      if (inFile !== undefined) return inEnvFile(deployment, inFile.valueRange);
      return { path: fieldOf(key), at: entryOf(key) === undefined ? "key" : "value" };
    },
    named: (key) => {
      const inFile = givenOf(key);
      return inFile === undefined ? field(fieldOf(key)) : `\`${inFile.key}\``;
    },
  };
}

/** The secrets that a workload gets, by the name that it finds each under. */
function secretsOf({ secrets }: Deployment, { name: workload }: Workload): ReadonlyMap<string, Secret> {
  const byName = new Map<string, Secret>();
  for (const secret of secrets)
    for (const destination of secret.destinations)
      if (destination.workload === workload && !byName.has(destination.env)) byName.set(destination.env, secret);
  return byName;
}
