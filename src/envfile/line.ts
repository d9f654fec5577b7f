/** Offset of the line end (LF, CRLF or a lone CR) at or after `from`, or the length of the text. */
export function lineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 10 || unit === 13) return at;
  }
  return text.length;
}

/** Offset of the first character behind the line end that stands at `end`. */
export function nextLine(text: string, end: number): number {
  return text.startsWith("\r\n", end) ? end + 2 : Math.min(end + 1, text.length);
}

/** Offset of the first character at or after `from` that is neither space nor tab, at most `end`. */
export function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && (text[at] === " " || text[at] === "\t")) at++;
  return at;
}

/** Offset behind the last character before `end` that is neither space nor tab, at least `from`. */
export function trimBlanks(text: string, from: number, end: number): number {
  let at = end;
  while (at > from && (text[at - 1] === " " || text[at - 1] === "\t")) at--;
  return at;
}

/** Offset of the first character of the line on which `at` stands. */
export function lineStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && text[start - 1] !== "\n" && text[start - 1] !== "\r") start--;
  return start;
}

/** Offset of `character` in `[from, end)`, or -1. Unlike `indexOf` it never looks beyond, which keeps readers linear. */
export function indexBefore(text: string, character: string, from: number, end: number): number {
  for (let at = from; at < end; at++) if (text[at] === character) return at;
  return -1;
}
