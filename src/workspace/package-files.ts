import type { PackageFile } from "../deployment/inputs.ts";
import {
  type PackageFiles,
  packageFiles,
  type PackageOutcome,
  speaksForBelow,
} from "../deployment/release/package-files.ts";
import { directoryAbove, displayName, entryPath } from "./paths.ts";
import { readOptionalTextFile } from "./read-file.ts";
import type { ReadOutcome } from "./text-file.ts";

/** Where the search for a parent's package.json got to from a directory; shared by the deployments of a run. */
export type ParentCache = Map<string, PackageOutcome>;

/** The package.json of a directory as read; null where there is none. */
export function packageOutcome(read: ReadOutcome | null, relation: PackageFile["relation"]): PackageOutcome {
  if (read === null) return null;
  if (read.problem === undefined) return { file: { file: read.file.file, text: read.file.text, relation } };
  const { message, help } = read.problem;
  return {
    problem: {
      ...read.problem,
      message: `${message}, so it is not known which release of qm it pins`,
      help: `${help}; or name the release of qm with \`--release\``,
    },
  };
}

function readPackage(directory: string, cwd: string, relation: PackageFile["relation"]): PackageOutcome {
  const path = entryPath(directory, "package.json");
  return packageOutcome(readOptionalTextFile(path, displayName(path, cwd)), relation);
}

/** The nearest package.json at or above `directory`, up to the repository root, that speaks for what is below. */
function parentPackage(directory: string, cwd: string, cache: ParentCache): PackageOutcome {
  const known = cache.get(directory);
  if (known !== undefined) return known;
  const here = readPackage(directory, cwd, "parent");
  const found = speaksForBelow(here) ? here : packageAbove(directory, cwd, cache);
  cache.set(directory, found);
  return found;
}

function packageAbove(directory: string, cwd: string, cache: ParentCache): PackageOutcome {
  const above = directoryAbove(directory);
  return above === null ? null : parentPackage(above, cwd, cache);
}

/** Looks for the pin of qm in and above a deployment directory. */
export function readPackageFiles(directory: string, cwd: string, cache: ParentCache = new Map()): PackageFiles {
  return packageFiles(readPackage(directory, cwd, "own"), () => packageAbove(directory, cwd, cache));
}
