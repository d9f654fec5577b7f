import type { Release } from "../catalog/releases/release.ts";
import { nameOf, serviceOf, type ServiceSettingKey } from "../catalog/settings/index.ts";
import type { ServiceName, WrittenConfig } from "../config/written-config.ts";
import type { ConfigPath } from "../base/config-path.ts";
import { own } from "../base/json.ts";

/** A value of the config, trimmed and not blank, with its place. */
export interface PlacedValue {
  readonly value: string;
  readonly path: ConfigPath;
}

/** The settings of core that resolving reads. */
const READ_BY_RESOLVING = [
  "core.sandboxBackend",
  "core.secondaryBackend",
  "core.scopeBackends",
  "core.harness",
  "core.modelProvider",
] as const;

/**
 * True for a name of core of which a blank value is the same as none, because resolving reads it: a blank one would reach
 * core and hide what `check` promised.
 */
export function isBlankUnset(release: Release, name: string): boolean {
  return READ_BY_RESOLVING.some((key) => nameOf(release, key) === name);
}

/** The services whose `env` reaches core, strongest first: slack runs inside core, and core's own entries win. */
export function coreEnvServices(config: WrittenConfig): readonly ServiceName[] {
  return config.services?.includes("slack") === true ? ["core", "slack"] : ["core"];
}

/** What `env.<service>.<name>` holds, trimmed; null when missing or blank. */
export function envValue(config: WrittenConfig, service: ServiceName, name: string): PlacedValue | null {
  const value = own(config.env?.[service], name)?.trim();
  return value === undefined || value === "" ? null : { value, path: ["env", service, name] };
}

/** What core will see for a name out of `env.core`, else `env.slack`; null when missing or blank in both. */
export function coreValue(config: WrittenConfig, name: string): PlacedValue | null {
  for (const service of coreEnvServices(config)) {
    const found = envValue(config, service, name);
    if (found !== null) return found;
  }
  return null;
}

/** What `env` sets a setting to, under the name that the release gives it; null when missing or blank. */
export function settingValue(config: WrittenConfig, release: Release, key: ServiceSettingKey): PlacedValue | null {
  const service = serviceOf(key);
  const name = nameOf(release, key);
  return service === "core" ? coreValue(config, name) : envValue(config, service, name);
}

/** What `env` writes for a setting, spaces and all; undefined where it is missing. */
export function writtenSetting(config: WrittenConfig, release: Release, key: ServiceSettingKey): string | undefined {
  const service = serviceOf(key);
  const readers = service === "core" ? coreEnvServices(config) : [service];
  return readers.map((reader) => own(config.env?.[reader], nameOf(release, key))).find((text) => text !== undefined);
}

/** The places of a name of core that hold nothing but blanks. */
export function blankCoreValues(config: WrittenConfig, name: string): ConfigPath[] {
  return coreEnvServices(config)
    .filter((service) => own(config.env?.[service], name)?.trim() === "")
    .map((service): ConfigPath => ["env", service, name]);
}
