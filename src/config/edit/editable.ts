import type { JsonValue } from "../../base/json.ts";
import type { ConfigDocument } from "../document.ts";
import { isEditable } from "../obstacles.ts";
import type { ConfigNode } from "../node.ts";
import { parseDocument } from "../parse.ts";
import { hasBreak } from "./list.ts";
import { type Style, styleOf } from "./print.ts";
import { scanTrivia, type Trivia } from "../trivia.ts";

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
