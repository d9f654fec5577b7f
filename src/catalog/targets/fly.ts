import type { RunnableServiceName } from "../../config/written-config.ts";

/** Regions that take new machines, and those that Fly has closed or merged into a neighbour (fly.io/docs/reference/regions). */
export const FLY_REGIONS: readonly string[] =
  "ams arn bom cdg dfw ewr fra gru iad jnb lax lhr nrt ord sin sjc syd yyz".split(" ");
export const CLOSED_FLY_REGIONS: readonly string[] =
  "atl bog bos den eze gdl gig hkg mad mia otp phx qro scl sea waw yul".split(" ");

/** Services that others reach through flycast, so they deploy with `--flycast --no-public-ips`. */
export const FLYCAST_SERVICES: readonly RunnableServiceName[] = ["web-ui", "auth"];

/** Memory in MB that a Fly machine size can have: from `least` to `most`, in multiples of `step`. */
export interface FlyMemoryRange {
  readonly least: number;
  readonly most: number;
  readonly step: number;
}

const SHARED = { cpus: [1, 2, 4, 8], least: 256, most: 2048, step: 256 };
const PERFORMANCE = { cpus: [1, 2, 4, 8, 16], least: 2048, most: 8192, step: 1024 };

/** Sizes of CPU machines (fly.io/docs/machines/guides-examples/machine-sizing): memory grows with the number of CPUs. */
export const FLY_VM_SIZES: ReadonlyMap<string, FlyMemoryRange> = new Map(
  (
    [
      ["shared-cpu", SHARED],
      ["performance", PERFORMANCE],
    ] as const
  ).flatMap(([family, { cpus, least, most, step }]) =>
    cpus.map((count): [string, FlyMemoryRange] => [
      `${family}-${count}x`,
      { least: least * count, most: most * count, step },
    ]),
  ),
);

const MEMORY = /^([1-9]\d{0,8})(?:(m)(?:i?b)?|(g)(?:i?b)?)?$/i;

/** Memory in MB as flyctl reads it: a plain number is MB, units are powers of 1024; null where it is no amount. */
export function readFlyMemory(text: string): number | null {
  const match = MEMORY.exec(text);
  if (match === null) return null;
  return Number(match[1]) * (match[3] === undefined ? 1 : 1024);
}

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
