import { createScanner, type SyntaxKind } from "jsonc-parser";
import { lineStart } from "../../base/text-edit.ts";
import type { ConfigNode, Span } from "../node.ts";

/** Members of jsonc-parser's const enum, which does not exist at run time. */
const COMMA: SyntaxKind = 5;
const LINE_COMMENT: SyntaxKind = 12;
const BLOCK_COMMENT: SyntaxKind = 13;
const END: SyntaxKind = 17;

export interface Comment extends Span {
  readonly kind: "line" | "block";
}

/** The comments of a JSONC text and the offsets of its commas, in text order. */
export function scanTrivia(text: string): {
  readonly comments: readonly Comment[];
  readonly commas: readonly number[];
} {
  const scanner = createScanner(text);
  if (text.charCodeAt(0) === 0xfeff) scanner.setPosition(1);
  const comments: Comment[] = [];
  const commas: number[] = [];
  for (let kind = scanner.scan(); kind !== END; kind = scanner.scan()) {
    const start = scanner.getTokenOffset();
    if (kind === COMMA) commas.push(start);
    else if (kind === LINE_COMMENT || kind === BLOCK_COMMENT)
      comments.push({ kind: kind === LINE_COMMENT ? "line" : "block", start, end: scanner.getPosition() });
  }
  return { comments, commas };
}

/** A member of an object or an item of an array, with the offset of the comma after it. */
export interface Entry extends Span {
  readonly comma: number | null;
}

/** An object or array as an edit sees it: what stands between its brackets. */
export interface List {
  /** After the opening bracket. */
  readonly start: number;
  /** Before the closing bracket. */
  readonly end: number;
  readonly entries: readonly Entry[];
  /** Comments between the entries, not inside them. */
  readonly comments: readonly Comment[];
}

export type ListNode = Extract<ConfigNode, { kind: "object" | "array" }>;

export function listOf(text: string, node: ListNode): List {
  const spans: readonly Span[] =
    node.kind === "array"
      ? node.items
      : node.members.map(({ keySpan, value }) => ({ start: keySpan.start, end: value?.end ?? keySpan.end }));
  const start = node.start + 1;
  const end = node.end - 1;
  const { comments, commas } = scanTrivia(text);
  const entries = spans.map((span, at): Entry => {
    const next = spans[at + 1]?.start ?? end;
    return { ...span, comma: commas.find((comma) => comma >= span.end && comma < next) ?? null };
  });
  const isInside = ({ start: at }: Comment): boolean => spans.some((span) => at >= span.start && at < span.end);
  const between = comments.filter((comment) => comment.start >= start && comment.start < end && !isInside(comment));
  return { start, end, entries, comments: between };
}

/** Comments that begin at or after `from` on its line, in one run that only spaces interrupt; ends before `until`. */
export function trailingComments(text: string, list: List, from: number, until: number): readonly Comment[] {
  const run: Comment[] = [];
  let at = from;
  for (const comment of list.comments) {
    if (comment.start < from || comment.start >= until) continue;
    if (!/^[^\S\r\n]*$/.test(text.slice(at, comment.start))) break;
    run.push(comment);
    at = comment.end;
  }
  return run;
}

export function hasBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}

/** True when nothing but spaces stands before an offset on its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === "";
}

/** The spaces that the line of an offset begins with. */
export function indentOf(text: string, offset: number): string {
  return /^\ufeff?([ \t]*)/.exec(text.slice(lineStart(text, offset), offset))?.[1] ?? "";
}
