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

/**
 * The smallest splice that makes one text of another; null where they are the same. It parts neither a pair of UTF-16 units that
 * are one character nor the two of a CRLF.
 */
export function smallestSplice(before: string, after: string): Splice | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let same = 0;
  while (
    same < shorter - start &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same++;
  while (start > 0 && (parts(before, start) || parts(after, start))) start--;
  while (same > 0 && (parts(before, before.length - same) || parts(after, after.length - same))) same--;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}

/** True for an offset between two units that belong together. */
function parts(text: string, offset: number): boolean {
  const [unit, next] = [text.charCodeAt(offset - 1), text.charCodeAt(offset)];
  return (unit === 13 && next === 10) || ((unit & 0xfc00) === 0xd800 && (next & 0xfc00) === 0xdc00);
}
