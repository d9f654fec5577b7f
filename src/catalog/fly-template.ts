import type { RunnableServiceName } from "../config/written-config.ts";

/** A value of a parsed TOML file without dates. */
export type TomlValue = string | number | boolean | readonly TomlValue[] | { readonly [key: string]: TomlValue };

/**
 * A parsed `templates/fly/<release>/<service>.fly.toml`: what the deployment does not decide. `app`, `primary_region`
 * and `[build]` are not in it.
 */
export interface FlyTemplate {
  readonly kill_signal: string;
  readonly kill_timeout: string;
  readonly env: { readonly [name: string]: string };
  readonly vm: readonly { readonly size: string; readonly memory: string }[];
  readonly checks: { readonly [name: string]: { readonly [key: string]: TomlValue } };
  readonly [table: string]: TomlValue;
}

/** Templates by release, then by service that is a Fly app of its own there. */
export type FlyTemplates = { readonly [release: string]: { readonly [service in RunnableServiceName]?: FlyTemplate } };
