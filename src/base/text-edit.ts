/** Replaces the text from `start` to `end` (exclusive) by `text`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies splices that were all computed on the same text and do not overlap; of two at one offset the first comes first. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const splice of splices.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, splice.start) + splice.text;
    at = Math.max(at, splice.end);
  }
  return result + text.slice(at);
}

/** True for a UTF-16 unit that ends a line: LF or CR. */
export function isBreak(unit: number): boolean {
  return unit === 10 || unit === 13;
}

/** Offset where the line of an offset begins. Lines end at LF, CRLF or a lone CR. */
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

/** Offset behind the line break that stands at an offset; the offset itself where none does. */
export function afterLineBreak(text: string, offset: number): number {
  if (text.startsWith("\r\n", offset)) return offset + 2;
  return isBreak(text.charCodeAt(offset)) ? offset + 1 : offset;
}

/** The line break that a text uses first; LF where it has none. */
export function lineBreakOf(text: string): string {
  return /\r\n|\r|\n/.exec(text)?.[0] ?? "\n";
}

/** Moves an offset forwards over spaces and tabs, at most to `end`. */
export function skipBlanks(text: string, from: number, end = text.length): number {
  let at = from;
  while (at < end && (text[at] === " " || text[at] === "\t")) at++;
  return at;
}

/** Moves an offset backwards over spaces and tabs, at most to `start`. */
export function skipBlanksBack(text: string, from: number, start = 0): number {
  let at = from;
  while (at > start && (text[at - 1] === " " || text[at - 1] === "\t")) at--;
  return at;
}
