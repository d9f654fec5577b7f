/** The vendor's package: the one import of it, and which versions this toolkit knows. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { BoxdClient, BoxdOptions } from "./client.ts";
import { BoxdDriverError } from "./errors.ts";

export const SDK_PACKAGE = "@boxd-sh/sdk";
const OLDEST = "0.2.20";
const BELOW = "0.4";
/** The versions that work (docs/contract/boxd.md#client), as package.json's peer range writes them. */
export const SDK_RANGE = `>=${OLDEST} <${BELOW}`;

export interface Sdk {
  readonly Boxd: new (options: BoxdOptions) => BoxdClient;
  /** null where no package.json of it can be found, as when a module hook supplies it */
  readonly version: string | null;
}

/**
 * Loads the SDK, from the package that holds this file or from one around it. A missing package, one that cannot be loaded and a version out of range
 * are errors of kind `invalid` which say what to run.
 */
export async function loadSdk(): Promise<Sdk> {
  const version = installedVersion();
  if (version !== null && !isInRange(version))
    throw refused(`${version} is installed, but qm-deploy needs ${SDK_RANGE}: ${INSTALL}`);
  // Computed, so that a bundler leaves the import to run time: the package is an optional peer.
  const specifier = SDK_PACKAGE.split("/").join("/");
  let loaded: unknown;
  try {
    loaded = await import(specifier);
  } catch (error) {
    // The package itself, as opposed to something that it imports.
    const isMissing =
      error instanceof Error &&
      Reflect.get(error, "code") === "ERR_MODULE_NOT_FOUND" &&
      error.message.includes(`'${SDK_PACKAGE}'`);
    const problem = isMissing ? `is not installed; install it beside qm-deploy: ${INSTALL}` : undefined;
    throw refused(problem ?? `${version ?? "of unknown version"} could not be loaded: ${String(error)}`, error);
  }
  const Boxd: unknown = typeof loaded === "object" && loaded !== null ? Reflect.get(loaded, "Boxd") : undefined;
  if (typeof Boxd !== "function")
    throw refused(`${version ?? "of unknown version"} has no \`Boxd\` class; qm-deploy needs ${SDK_RANGE}: ${INSTALL}`);
  return { Boxd: Boxd as Sdk["Boxd"], version };
}

const INSTALL = `npm install "${SDK_PACKAGE}@${SDK_RANGE}"`;

function refused(problem: string, cause?: unknown): BoxdDriverError {
  return new BoxdDriverError("invalid", `the package ${SDK_PACKAGE} ${problem}`, { cause });
}

/** The version of the package that an import from here finds. Its own `exports` may hide package.json, so the file is looked for. */
function installedVersion(): string | null {
  for (const folder of createRequire(import.meta.url).resolve.paths(SDK_PACKAGE) ?? []) {
    try {
      const { version } = JSON.parse(readFileSync(join(folder, SDK_PACKAGE, "package.json"), "utf8")) as {
        version?: unknown;
      };
      if (typeof version === "string") return version;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

function isInRange(version: string): boolean {
  return compareVersions(version, OLDEST) >= 0 && compareVersions(version, BELOW) < 0;
}

/** By major, minor and patch; a pre-release counts as the release that it precedes. */
function compareVersions(a: string, b: string): number {
  const parts = (version: string) => version.split(/[-+]/)[0]?.split(".").map(Number) ?? [];
  const [left, right] = [parts(a), parts(b)];
  const differences = [0, 1, 2].map((at) => (left[at] ?? 0) - (right[at] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}
