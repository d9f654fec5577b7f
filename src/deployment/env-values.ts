import type { ServiceName, StringMap, WrittenConfig } from "../config/written-config.ts";
import type { ConfigPath } from "../base/config-path.ts";

/** A value of the config, trimmed and not blank, with its place. */
export interface PlacedValue {
  readonly value: string;
  readonly path: ConfigPath;
}

/**
 * The names of core for which a blank value is the same as none, because resolving reads them: a blank one would reach
 * core and hide what `check` promised.
 */
export const BLANK_IS_UNSET: ReadonlySet<string> = new Set([
  "SANDBOX_BACKEND",
  "SANDBOX_SECONDARY_BACKEND",
  "SANDBOX_SCOPE_BACKENDS",
  "HARNESS",
  "MODEL_PROVIDER",
]);

/** The services whose `env` reaches core, strongest first: slack runs inside core, and core's own entries win. */
export function coreEnvServices(config: WrittenConfig): readonly ServiceName[] {
  return config.services?.includes("slack") === true ? ["core", "slack"] : ["core"];
}

/** What `env.<service>.<name>` holds, trimmed; null when missing or blank. */
export function envValue(config: WrittenConfig, service: ServiceName, name: string): PlacedValue | null {
  const value = ownValue(config.env?.[service], name)?.trim();
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

/** The places of a name of core that hold nothing but blanks. */
export function blankCoreValues(config: WrittenConfig, name: string): ConfigPath[] {
  return coreEnvServices(config)
    .filter((service) => ownValue(config.env?.[service], name)?.trim() === "")
    .map((service): ConfigPath => ["env", service, name]);
}

/** `env.core` with `env.slack` below it, trimmed; without prototype. */
export function coreEnvironment(config: WrittenConfig): { readonly [name: string]: string } {
  const all = Object.create(null) as { [name: string]: string };
  for (const service of [...coreEnvServices(config)].reverse()) {
    for (const [name, value] of Object.entries(config.env?.[service] ?? {})) {
      if (value.trim() !== "" || !BLANK_IS_UNSET.has(name)) all[name] = value.trim();
    }
  }
  return all;
}

function ownValue(map: StringMap | undefined, name: string): string | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;
}
