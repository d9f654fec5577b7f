import { createScanner, type SyntaxKind } from "jsonc-parser";
import type { Span } from "./node.ts";

/** Members of jsonc-parser's const enum, which does not exist at run time. */
const COMMA: SyntaxKind = 5;
const LINE_COMMENT: SyntaxKind = 12;
const BLOCK_COMMENT: SyntaxKind = 13;
const END: SyntaxKind = 17;

export interface Comment extends Span {
  readonly kind: "line" | "block";
}

/** The comments of a JSONC text and its commas, in text order. */
export interface Trivia {
  readonly comments: readonly Comment[];
  readonly commas: readonly Span[];
}

export function scanTrivia(text: string): Trivia {
  const scanner = createScanner(text);
  if (text.charCodeAt(0) === 0xfeff) scanner.setPosition(1);
  const comments: Comment[] = [];
  const commas: Span[] = [];
  for (let kind = scanner.scan(); kind !== END; kind = scanner.scan()) {
    const [start, end] = [scanner.getTokenOffset(), scanner.getPosition()];
    if (kind === COMMA) commas.push({ start, end });
    else if (kind === LINE_COMMENT || kind === BLOCK_COMMENT)
      comments.push({ kind: kind === LINE_COMMENT ? "line" : "block", start, end });
  }
  return { comments, commas };
}

/** Those of some spans in text order that begin in a stretch of the text, `end` exclusive. */
export function spansIn<T extends Span>(spans: readonly T[], start: number, end: number): readonly T[] {
  return spans.slice(firstFrom(spans, start), firstFrom(spans, end));
}

/** Index of the first of some spans in text order that begins at or after an offset. */
export function firstFrom(spans: readonly Span[], offset: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as Span).start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
