import { groupBy } from "../base/group-by.ts";
import { memoizeLatest } from "../base/memo.ts";
import type { ConfigPath } from "../base/config-path.ts";
import type { Backend } from "../catalog/backends/backend.ts";
import { BACKEND_SETTINGS, inStockCore } from "../catalog/backends/index.ts";
import { nameOf, settingsOf } from "../catalog/settings/index.ts";
import type { ReadingContext, ReadingKind, Setting, SettingProblem } from "../catalog/settings/setting.ts";
import type { RunnableServiceName, ServiceName } from "../config/written-config.ts";
import type { Deployment, DeploymentChoices } from "./deployment.ts";
import type { EnvironmentEntry } from "./provenance.ts";

/** The services that share an environment, and what of it is known. */
export interface ServiceRuntime {
  readonly name: RunnableServiceName;
  /** The enabled services that run in it, itself first. */
  readonly hosts: readonly ServiceName[];
  /** Null where the config does not enable the service, so that nothing is resolved for it. */
  readonly environment: readonly EnvironmentEntry[] | null;
}

/** The processes of a deployment's services; core's always, as every deployment needs it. */
export function serviceRuntimes({ workloads }: Deployment): readonly ServiceRuntime[] {
  const all: ServiceRuntime[] = workloads
    .filter(({ kind }) => kind === "service")
    .map(({ name, hosts, environment }) => ({ name: name as RunnableServiceName, hosts, environment }));
  if (!all.some(({ name }) => name === "core")) all.push({ name: "core", hosts: ["core"], environment: null });
  return all;
}

/** An entry of `env` under a name that some service of its runtime reads. */
export interface WrittenSetting {
  readonly setting: Setting;
  /** The service that reads it, which need not be the one that it is written for: slack runs inside core. */
  readonly reader: ServiceName;
  readonly path: ConfigPath;
  readonly value: string;
  readonly runtime: ServiceRuntime;
}

/** Every entry of `env` that an enabled service reads in one way; each stands where it is written, whether or not another one wins. */
export function writtenSettings(deployment: Deployment, kind: ReadingKind): readonly WrittenSetting[] {
  return settingsByKind(deployment).get(kind) ?? [];
}

const settingsByKind = memoizeLatest((deployment: Deployment) =>
  groupBy(allWritten(deployment), ({ setting }) => setting.reading.kind),
);

function allWritten(deployment: Deployment): readonly WrittenSetting[] {
  const readSetting = settingReader(deployment);
  const all: WrittenSetting[] = [];
  for (const runtime of serviceRuntimes(deployment)) {
    for (const service of runtime.hosts) {
      for (const [name, value] of Object.entries(deployment.config.env?.[service] ?? {})) {
        const found = readSetting(runtime.hosts, service, name);
        if (found !== null) all.push({ ...found, path: ["env", service, name], value, runtime });
      }
    }
  }
  return all;
}

/** Which setting a name is in the runtime of a service, which comes first; null where nobody there reads it. */
type SettingReader = (
  hosts: readonly ServiceName[],
  service: ServiceName,
  name: string,
) => { readonly setting: Setting; readonly reader: ServiceName } | null;

/** Tells which names are settings in a deployment. */
export function settingReader(choices: Pick<DeploymentChoices, "release" | "sandbox">): SettingReader {
  return (hosts, service, name) => {
    for (const reader of [service, ...hosts]) {
      const setting = settingsOf(choices.release.release, reader).get(name);
      if (setting !== undefined) return { setting, reader };
    }
    const ofBackend = hosts.includes("core") ? BACKEND_SETTINGS.get(name) : undefined;
    return ofBackend?.backends.some((backend) => isRun(choices, backend)) === true
      ? { setting: ofBackend.setting, reader: "core" }
      : null;
  };
}

/** True for a backend whose settings core reads: one that is selected, or that its stock image implements. */
function isRun({ release, sandbox }: Pick<DeploymentChoices, "release" | "sandbox">, backend: Backend): boolean {
  return sandbox.selected.includes(backend) || inStockCore(backend, release.release);
}

/** What is wrong with an entry as it reaches its service; null where it is fine, or never arrives. */
export function judgeWritten(deployment: Deployment, written: WrittenSetting): SettingProblem | null {
  const { setting, runtime, path, value } = written;
  const context = contextOf(deployment, runtime);
  const problem = setting.reading.judge(value, context);
  if (problem === null || runtime.environment === null) return problem;
  if (isSecret(deployment, runtime, setting.name)) return null;
  const entry = runtime.environment.find(({ name }) => name === setting.name);
  const arriving = entry === undefined ? null : arrivingValue(entry, path, value);
  return arriving === null || !isRead(setting, context) ? null : setting.reading.judge(arriving, context);
}

/** What is wrong with a value that reaches a service as a secret, under the name of a setting; null where it is fine. */
export function judgeRouted(
  deployment: Deployment,
  runtime: ServiceRuntime,
  setting: Setting,
  value: string,
): SettingProblem | null {
  const context = contextOf(deployment, runtime);
  return isRead(setting, context) ? setting.reading.judge(value, context) : null;
}

/** What reaches the service of a value: targets trim some, and put their own in the place of others. */
function arrivingValue(entry: EnvironmentEntry, path: ConfigPath, value: string): string | null {
  const isHere = ({ provenance }: Pick<EnvironmentEntry, "provenance">): boolean =>
    provenance.kind === "config" && provenance.path.join("\n") === path.join("\n");
  if (isHere(entry)) return entry.value;
  const isHiddenByEnv = entry.provenance.kind === "config" && entry.provenance.path[0] === "env";
  return isHiddenByEnv && entry.shadowed.some(isHere) ? value : null;
}

/** True for a name that the store of secrets brings: the value in `env` loses, which other rules say. */
function isSecret({ secrets }: Deployment, { name: workload }: ServiceRuntime, env: string): boolean {
  return secrets.some(
    (secret) =>
      secret.required &&
      secret.destinations.some((destination) => destination.workload === workload && destination.env === env),
  );
}

function isRead({ when }: Setting, { other }: ReadingContext): boolean {
  return when === undefined || other(when.name)?.trim() === when.is;
}

function contextOf({ config, release }: Deployment, { hosts, environment }: ServiceRuntime): ReadingContext {
  const name = nameOf(release.release, "core.nodeEnv");
  const mode = hosts.map((service) => config.env?.[service]?.[name]).find((value) => value !== undefined);
  return {
    release: release.release,
    production: mode === undefined || mode === "production",
    other: (name) => environment?.find((entry) => entry.name === name)?.value ?? null,
  };
}
