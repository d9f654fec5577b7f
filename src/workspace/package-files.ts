import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { PackageFile } from "../deployment/inputs.ts";
import { isToolkit, QM_PACKAGE, readPin } from "../deployment/release/pin.ts";
import { displayName, entryPath } from "./paths.ts";
import { readOptionalTextFile } from "./read-file.ts";

/** Where the search for a parent's package.json got to from a directory; shared by the deployments of a run. */
export type ParentCache = Map<string, PackageFile | null>;

function readPackage(directory: string, cwd: string, relation: PackageFile["relation"]): PackageFile | null {
  const path = entryPath(directory, "package.json");
  const file = displayName(path, cwd);
  const read = readOptionalTextFile(path, file);
  return read?.file === undefined ? null : { file, text: read.file.text, relation };
}

/** True for a package.json of somebody else that pins qm; only then does it speak for the directories below it. */
export function pinsRelease(file: PackageFile): boolean {
  return file.text.includes(QM_PACKAGE) && !isToolkit(file) && readPin(file).kind === "pin";
}

/** The nearest package.json at or above `directory`, up to the repository root, that pins qm. */
function parentPackage(directory: string, cwd: string, cache: ParentCache): PackageFile | null {
  const known = cache.get(directory);
  if (known !== undefined) return known;
  const here = readPackage(directory, cwd, "parent");
  const found = here !== null && pinsRelease(here) ? here : packageAbove(directory, cwd, cache);
  cache.set(directory, found);
  return found;
}

function packageAbove(directory: string, cwd: string, cache: ParentCache): PackageFile | null {
  const above = dirname(directory);
  return above === directory || existsSync(entryPath(directory, ".git")) ? null : parentPackage(above, cwd, cache);
}

/** The package.json files that may pin the release of a deployment: its own, then its nearest parent with a pin. */
export function readPackageFiles(directory: string, cwd: string, cache: ParentCache = new Map()): PackageFile[] {
  const found = [readPackage(directory, cwd, "own"), packageAbove(directory, cwd, cache)];
  return found.filter((file) => file !== null);
}
