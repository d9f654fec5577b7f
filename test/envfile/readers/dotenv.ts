import type { ReadResult } from "../../../src/envfile/readers/reader.ts";

const SPACE = /\s/;
const KEY = /[\w.-]+/y;

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && SPACE.test(text[at] as string)) at++;
  return at;
}

function isTerminator(character: string | undefined): boolean {
  return character === undefined || character === "\n" || character === "\u2028" || character === "\u2029";
}

function endOfLine(text: string, from: number): number {
  let at = from;
  while (!isTerminator(text[at])) at++;
  return at;
}

/** Where a statement ends whose value ends at `from`: blanks and a comment may follow, nothing else. -1 where more does. */
function statementEnd(text: string, from: number): number {
  const at = skipSpace(text, from);
  if (text[at] === "#") return endOfLine(text, at);
  if (at === text.length) return at;
  for (let back = at; back >= from; back--) if (isTerminator(text[back])) return back;
  return -1;
}

/** The span of a quoted value that opens at `open` and has nothing but a comment behind it; the last such end wins. */
function quotedEnd(text: string, open: number): { close: number; end: number } | null {
  const quote = text[open] as string;
  const closes: number[] = [];
  for (let at = text.indexOf(quote, open + 1); at !== -1; at = text.indexOf(quote, at + 1)) {
    closes.push(at);
    if (at - 1 === open || text[at - 1] !== "\\") break;
  }
  for (const close of closes.toReversed()) {
    const end = statementEnd(text, close + 1);
    if (end !== -1) return { close, end };
  }
  return null;
}

function meaning(written: string): string {
  const value = written.trim();
  const quote = value[0] ?? "";
  const bare = value.length > 1 && "'\"`".includes(quote) && value.endsWith(quote) ? value.slice(1, -1) : value;
  return quote === '"' ? bare.replaceAll("\\n", "\n").replaceAll("\\r", "\r") : bare;
}

function valueAt(text: string, from: number): { value: string; end: number } {
  const open = skipSpace(text, from);
  const quoted = "'\"`".includes(text[open] ?? " ") ? quotedEnd(text, open) : null;
  if (quoted !== null) return { value: meaning(text.slice(from, quoted.close + 1)), end: quoted.end };
  let stop = from;
  while (stop < text.length && text[stop] !== "#" && text[stop] !== "\n") stop++;
  const end = statementEnd(text, stop);
  return { value: meaning(text.slice(from, stop)), end: end === -1 ? stop : end };
}

/** The key of a statement and the offset at which its value starts; null where there is none. */
function keyAt(text: string, start: number): { key: string; value: number } | null {
  KEY.lastIndex = start;
  const key = KEY.exec(text)?.[0];
  if (key === undefined) return null;
  const end = start + key.length;
  if (text[end] === ":" && SPACE.test(text[end + 1] ?? "")) return { key, value: end + 2 };
  const equals = skipSpace(text, end);
  return text[equals] === "=" ? { key, value: equals + 1 } : null;
}

/** dotenv 18: quotes only where nothing but a comment follows, `\n` and `\r` in double quotes, `#` cuts everything else. */
export function readAsDotenv(text: string): ReadResult {
  const content = text.replace(/\r\n?/g, "\n");
  const values = new Map<string, string>();
  let at = 0;
  while (at < content.length) {
    const start = skipSpace(content, at);
    const behind = content.startsWith("export", start) ? skipSpace(content, start + 6) : start;
    const found = (behind > start + 6 ? keyAt(content, behind) : null) ?? keyAt(content, start);
    if (found === null) {
      at = endOfLine(content, start) + 1;
      continue;
    }
    const { value, end } = valueAt(content, found.value);
    values.set(found.key, value);
    at = end > at ? endOfLine(content, end) + 1 : end + 1;
  }
  return { ok: true, values };
}
