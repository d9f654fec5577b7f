import { getLocation } from "jsonc-parser";
import type { ConfigPath } from "../../base/config-path.ts";
import type { Span } from "../../config/node.ts";
import { scanTrivia } from "../../config/trivia.ts";

/** Where a cursor stands in a config, be it whole or half written. */
export interface ConfigPlace {
  /** Of the member or item; where a key is being written, of the object that it is in. */
  readonly path: ConfigPath;
  readonly isKey: boolean;
  /** What is under the cursor, for something else to take the place of; both ends are the cursor where there is nothing. */
  readonly token: Span;
}

/** Finds the place of an offset; null in a comment. */
export function placeAt(text: string, offset: number): ConfigPlace | null {
  const { comments } = scanTrivia(text);
  if (comments.some(({ kind, start, end }) => start < offset && (offset < end || (kind === "line" && offset === end))))
    return null;
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
  const isUnder =
    previousNode !== undefined && previousNode.offset <= offset && offset <= previousNode.offset + previousNode.length;
  return {
    path: isAtPropertyKey ? path.slice(0, -1) : path,
    isKey: isAtPropertyKey,
    token: isUnder
      ? literalSpan(text, previousNode.offset, previousNode.length, offset)
      : { start: wordStart(text, offset), end: wordEnd(text, offset) },
  };
}

/** A string whose second quote is still to be written reaches to the end of its line: nothing but its word is meant. */
function literalSpan(text: string, start: number, length: number, offset: number): Span {
  const end = start + length;
  const isOpen = text[start] === '"' && !/^"(?:[^"\\]|\\.)*"$/.test(text.slice(start, end));
  return { start, end: isOpen ? wordEnd(text, offset) : end };
}

const WORD = /[\w.-]/;

function wordStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && WORD.test(text.charAt(at - 1))) at--;
  return at;
}

function wordEnd(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && WORD.test(text.charAt(at))) at++;
  return at;
}
