import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { ConfigDocument } from "./document.ts";

/** Syntax findings that do not keep an editor from knowing what stands where. */
const HARMLESS = new Set(["syntax/duplicate-key", "syntax/proto-key", "syntax/number-range"]);

/** True for a document that changes can be made in: every value and every bracket has its place. */
export function isEditable(document: ConfigDocument): boolean {
  return document.root?.kind === "object" && obstacles(document).length === 0 && !document.broken;
}

/** The syntax findings of a document that an editor cannot work with. */
export function obstacles({ diagnostics }: ConfigDocument): readonly Diagnostic[] {
  return diagnostics.filter(({ rule }) => !HARMLESS.has(rule));
}
