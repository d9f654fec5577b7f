import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { PackageFile } from "../inputs.ts";
import { isToolkit, QM_PACKAGE, readPin } from "./pin.ts";

/** What a search for a package.json came to; null: there is none. */
export type PackageOutcome =
  | { readonly file: PackageFile; readonly problem?: never }
  | { readonly file?: never; readonly problem: Diagnostic }
  | null;

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
