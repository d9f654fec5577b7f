import type { PackageFile } from "../deployment/inputs.ts";
import { isToolkit, QM_PACKAGE, readPin } from "../deployment/release/pin.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { directoryAbove, displayName, entryPath } from "./paths.ts";
import { readOptionalTextFile } from "./read-file.ts";
import type { ReadOutcome } from "./text-file.ts";

/** What a search for a package.json came to; null: there is none. */
export type PackageOutcome =
  | { readonly file: PackageFile; readonly problem?: never }
  | { readonly file?: never; readonly problem: Diagnostic }
  | null;

/** Where the search for a parent's package.json got to from a directory; shared by the deployments of a run. */
export type ParentCache = Map<string, PackageOutcome>;

/** The package.json files that may pin the release of a deployment. */
export interface PackageFiles {
  /** Its own, then its nearest parent with a pin, which is not looked for where its own has one. */
  readonly files: readonly PackageFile[];
  /** Why one that is there says nothing, so that the release is not known. */
  readonly problems: readonly Diagnostic[];
}

function pins(file: PackageFile): boolean {
  return file.text.includes(QM_PACKAGE) && !isToolkit(file) && readPin(file).kind === "pin";
}

/** True for a package.json that pins qm, or may: only such a one speaks for the directories below it. Never this toolkit's own. */
export function speaksForBelow(outcome: PackageOutcome): boolean {
  return outcome !== null && (outcome.file === undefined || pins(outcome.file));
}

/** The package.json files that count: a deployment's own, and the one above it that speaks. */
export function packageFiles(own: PackageOutcome, above: () => PackageOutcome): PackageFiles {
  const isDecided = own !== null && (own.file === undefined || readPin(own.file).kind === "pin");
  const outcomes = isDecided ? [own] : [own, above()];
  return {
    files: outcomes.flatMap((outcome) => outcome?.file ?? []),
    problems: outcomes.flatMap((outcome) => outcome?.problem ?? []),
  };
}

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
