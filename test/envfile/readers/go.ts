import { goTrimRight, isGoSpace } from "../../../src/envfile/readers/compose.ts";

export { goTrimRight };

/** Go's `strings.TrimLeftFunc(text, unicode.IsSpace)`. */
export function goTrimLeft(text: string): string {
  let at = 0;
  while (isGoSpace(text[at])) at++;
  return text.slice(at);
}

/** Go's `bufio.MaxScanTokenSize` without the byte that the line end takes. */
const MAX_LINE_BYTES = 65_535;

/** True for a line that Go's default `bufio.Scanner` refuses to return. */
export function isTooLong(line: string): boolean {
  return line.length * 3 > MAX_LINE_BYTES && new TextEncoder().encode(line).length > MAX_LINE_BYTES;
}

/** Lines as Go's `bufio.ScanLines` splits them: at LF, without a CR before it, and without an empty last one. */
export function goLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** A scanned line without the CR that belongs to its line end. */
export function withoutCr(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
