import { SERVICE_NAMES, type ServiceName } from "../../config/written-config.ts";
import { AUTH } from "./auth.ts";
import { CORE } from "./core.ts";
import { ADMIN, ALL, SLACK, WEB_UI } from "./others.ts";
import { PORTAL } from "./portal.ts";
import type { ReleaseWords, Setting } from "./setting.ts";

const SETTINGS = { ...CORE, ...WEB_UI, ...ADMIN, ...SLACK, ...PORTAL, ...AUTH, ...ALL };

/** One setting of a service, by a key that is this toolkit's own: a release may rename the setting, never the key. */
export type SettingKey = keyof typeof SETTINGS;

/** The settings that conditions and rules look up in `env.<service>`; the service stands before the dot of the key. */
export type ServiceSettingKey = Extract<SettingKey, `${ServiceName}.${string}`>;

/** The settings that a release reads under another name than stands here. */
export type RenamedSettings = { readonly [key in SettingKey]?: string };

/** What a release says about settings. A `Release` is one. */
interface ReleaseSettings {
  readonly renamed: RenamedSettings;
  readonly unreadSettings: readonly SettingKey[];
}

/** The environment name of a setting in a release: its own where the release has renamed it. */
export function nameOf(release: { readonly renamed: RenamedSettings }, key: SettingKey): string {
  return release.renamed[key] ?? SETTINGS[key].name;
}

/** A setting that two releases read under two names; `service` is whose it is, `all` for one that each of them reads. */
export interface Rename {
  readonly service: string;
  readonly from: string;
  readonly to: string;
}

/** The settings that the second release reads under another name than the first. */
export function renamesBetween(
  before: { readonly renamed: RenamedSettings },
  after: { readonly renamed: RenamedSettings },
): readonly Rename[] {
  const keys = Object.keys({ ...before.renamed, ...after.renamed }) as SettingKey[];
  return keys
    .map((key) => ({ service: key.slice(0, key.indexOf(".")), from: nameOf(before, key), to: nameOf(after, key) }))
    .filter(({ from, to }) => from !== to);
}

/** The service that reads a setting. */
export function serviceOf(key: ServiceSettingKey): ServiceName {
  return key.slice(0, key.indexOf(".")) as ServiceName;
}

/** Everything that is known of a setting; its name is the one of the catalogue. */
export function settingOf(key: SettingKey): Setting {
  return SETTINGS[key];
}

/** What a setting is for, with what counts where nothing sets it; no full stop at the end. */
export function describeSetting({ description, default: standard }: Setting): string {
  return standard === undefined ? description : `${description} (\`${standard}\` where it is not set)`;
}

/** The words that a setting takes in a release; empty where it takes other values than words. */
export function wordsOf(key: SettingKey, release: ReleaseWords): readonly string[] {
  return settingOf(key).reading.words?.(release) ?? [];
}

/** What a service reads in a release, by the name that it has there, but for what belongs to a sandbox backend. */
export function settingsOf(release: ReleaseSettings, service: ServiceName): ReadonlyMap<string, Setting> {
  let all = byRelease.get(release);
  if (all === undefined) byRelease.set(release, (all = readBy(release)));
  return all[service];
}

type ByService = { readonly [service in ServiceName]: ReadonlyMap<string, Setting> };

/** Made once a release: the maps are the same for all deployments of it. */
const byRelease = new WeakMap<ReleaseSettings, ByService>();

function readBy(release: ReleaseSettings): ByService {
  const all: { [service in ServiceName]?: Map<string, Setting> } = {};
  for (const service of SERVICE_NAMES) all[service] = new Map();
  for (const key of Object.keys(SETTINGS) as SettingKey[]) {
    if (release.unreadSettings.includes(key)) continue;
    const name = nameOf(release, key);
    const setting: Setting = { ...SETTINGS[key], name };
    for (const service of readersOf(key)) all[service]?.set(name, setting);
  }
  return all as ByService;
}

/** The services that read a setting: those of `all.…` but for core, which knows its own organisation and address. */
function readersOf(key: SettingKey): readonly ServiceName[] {
  if (key.startsWith("all."))
    return key === "all.port" || key === "all.deploymentId"
      ? SERVICE_NAMES
      : SERVICE_NAMES.filter((name) => name !== "core");
  return [serviceOf(key as ServiceSettingKey)];
}
