import type { JsonValue } from "../../base/json.ts";
import type { ConfigDocument } from "../document.ts";
import type { ConfigNode } from "../node.ts";
import { parseDocument } from "../parse.ts";
import { hasBreak } from "./list.ts";
import { type Style, styleOf } from "./print.ts";
import { scanTrivia, type Trivia } from "./trivia.ts";

/** Thrown inside the editor and turned into `{ ok: false, reason }` at its edge. */
export class Refusal extends Error {}

/** A parsed text that changes are made in. */
export interface Editable {
  readonly text: string;
  readonly document: ConfigDocument;
  readonly root: ConfigNode;
  readonly value: JsonValue;
  readonly trivia: Trivia;
  readonly style: Style;
  /** True where the document takes several lines. */
  readonly isOnLines: boolean;
}

/** Syntax findings that do not keep an editor from knowing what stands where. */
const HARMLESS = new Set(["syntax/duplicate-key", "syntax/proto-key", "syntax/number-range"]);

/** True for a document that changes can be made in: every value and every bracket has its place. */
export function isEditable({ root, broken, diagnostics }: ConfigDocument): boolean {
  return root?.kind === "object" && !broken && diagnostics.every(({ rule }) => HARMLESS.has(rule));
}

/** @throws {Refusal} for a text that does not parse */
export function open(text: string): Editable {
  const document = parseDocument({ file: "", text });
  const { root } = document;
  if (root === null || !isEditable(document)) throw new Refusal("the file has syntax errors: fix them first");
  return {
    text,
    document,
    root,
    value: document.value([]) ?? null,
    trivia: scanTrivia(text),
    style: styleOf(text, root),
    isOnLines: hasBreak(text.slice(root.start, root.end)),
  };
}
