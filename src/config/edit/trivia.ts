import { createScanner, type SyntaxKind } from "jsonc-parser";
import type { Span } from "../node.ts";

const LINE_COMMENT: SyntaxKind = 12;
const BLOCK_COMMENT: SyntaxKind = 13;
const COMMA: SyntaxKind = 5;
const END: SyntaxKind = 17;

export interface Comment extends Span {
  readonly kind: "line" | "block";
}

/** What stands between the values of a JSONC text, in text order. */
export interface Trivia {
  readonly comments: readonly Comment[];
  /** Offsets of the commas. */
  readonly commas: readonly number[];
}

export function scanTrivia(text: string): Trivia {
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

/** Offset where the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !isBreak(text.charCodeAt(at - 1))) at--;
  return at;
}

/** Offset where the line of an offset ends, before its line break. */
export function lineEnd(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && !isBreak(text.charCodeAt(at))) at++;
  return at;
}

/** Offset after the line break that stands at an offset; the offset itself when none does. */
export function afterBreak(text: string, offset: number): number {
  if (text.charCodeAt(offset) === 13 && text.charCodeAt(offset + 1) === 10) return offset + 2;
  return isBreak(text.charCodeAt(offset)) ? offset + 1 : offset;
}

function isBreak(unit: number): boolean {
  return unit === 10 || unit === 13;
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

/** Moves an offset over spaces and tabs, forwards. */
export function skipSpaces(text: string, offset: number): number {
  let at = offset;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

/** Moves an offset over spaces and tabs, backwards. */
export function skipSpacesBack(text: string, offset: number): number {
  let at = offset;
  while (text[at - 1] === " " || text[at - 1] === "\t") at--;
  return at;
}
