import { goLines, goTrimLeft, goTrimRight, isTooLong, withoutCr } from "./go.ts";
import type { ReadResult } from "../../../src/envfile/readers/reader.ts";

const TRIPLE = '"""';

/** The value as written, without a comment: a `#` counts when the double quotes before it are even in number. */
function withoutComment(written: string): string {
  const hash = written.indexOf("#");
  if (hash === -1) return written;
  const before = written.slice(0, hash);
  if ((before.split('"').length - 1) % 2 !== 0) return written;
  let end = hash;
  while (before[end - 1] === " ") end--;
  return before.slice(0, end);
}

function isWrapped(value: string, quote: string): boolean {
  return value.startsWith(quote) && value.endsWith(quote);
}

/** `fly secrets import`: no escapes, `"""` for values of several lines, and `export` is not taken off a name. */
export function readAsFly(text: string): ReadResult {
  const values = new Map<string, string>();
  let open: { readonly key: string; value: string } | null = null;
  for (const [index, scanned] of goLines(text).entries()) {
    // flyctl never looks at the scanner's error: everything from a line that is too long on is lost.
    if (isTooLong(scanned)) return { ok: false, line: index + 1, reason: "the line is longer than 65535 bytes" };
    const line = withoutCr(scanned);
    if (open !== null) {
      if (line.endsWith(TRIPLE)) {
        values.set(open.key, open.value + line.slice(0, -3));
        open = null;
      } else open.value += `${line}\n`;
      continue;
    }
    if (line.startsWith("#") || goTrimRight(line) === "") continue;
    const equals = line.indexOf("=");
    if (equals === -1) return { ok: false, line: index + 1, reason: "the line has no `=`" };
    const key = goTrimRight(goTrimLeft(line.slice(0, equals)));
    const value = withoutComment(line.slice(equals + 1).replace(/^ +/, ""));
    if (isWrapped(value, TRIPLE) && value.length >= 6) values.set(key, value.slice(3, -3));
    else if (value.startsWith(TRIPLE)) open = { key, value: `${value.slice(3)}\n` };
    else if (value === '"' || value === "'")
      return { ok: false, line: index + 1, reason: "the value is a lone quote, on which flyctl crashes" };
    else values.set(key, isWrapped(value, '"') || isWrapped(value, "'") ? value.slice(1, -1) : value);
  }
  return { ok: true, values };
}
