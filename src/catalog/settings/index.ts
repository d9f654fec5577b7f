import type { ServiceName } from "../../config/written-config.ts";
import { AUTH } from "./auth.ts";
import { CORE } from "./core.ts";
import { OTHERS } from "./others.ts";
import { PORTAL } from "./portal.ts";

const NAMES = { ...CORE, ...PORTAL, ...AUTH, ...OTHERS };

/** One setting of a service, by a key that is this toolkit's own: a release may rename the setting, never the key. */
export type SettingKey = keyof typeof NAMES;

/** The settings that conditions and rules look up in `env.<service>`; the service stands before the dot of the key. */
export type ServiceSettingKey = Extract<SettingKey, `${ServiceName}.${string}`>;

/** The settings that a release reads under another name than stands here. */
export type RenamedSettings = { readonly [key in SettingKey]?: string };

/** The environment name of a setting in a release: its own where the release has renamed it. */
export function nameOf(release: { readonly renamed: RenamedSettings }, key: SettingKey): string {
  return release.renamed[key] ?? NAMES[key];
}

/** The service that reads a setting. */
export function serviceOf(key: ServiceSettingKey): ServiceName {
  return key.slice(0, key.indexOf(".")) as ServiceName;
}
