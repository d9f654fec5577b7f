import type { ReadResult } from "../../../src/envfile/readers/reader.ts";

/** A value of Node's env files and the offset behind its line; `next` is null where nothing ends the value. */
interface NodeValue {
  readonly value: string;
  readonly next: number | null;
}

/** Offset of the LF at or after `from`, or the length of the text. */
function endOfLine(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at === -1 ? text.length : at;
}

/** Takes the characters of `space` off both ends. */
function trimmed(text: string, space: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && space.includes(text[start] as string)) start++;
  while (end > start && space.includes(text[end - 1] as string)) end--;
  return text.slice(start, end);
}

/** The value that starts at `open`: no escapes but `\n` in double quotes, and `#` always cuts an unquoted one. */
function nodeValue(text: string, open: number, space: string): NodeValue {
  const quote = text[open];
  if (quote !== '"' && quote !== "'" && quote !== "`") {
    const end = endOfLine(text, open);
    const line = text.slice(open, end);
    const hash = line.indexOf("#");
    return { value: trimmed(hash === -1 ? line : line.slice(0, hash), space), next: end + 1 };
  }
  const close = text.indexOf(quote, open + 1);
  if (close === -1) {
    const end = endOfLine(text, open);
    return { value: text.slice(open, end), next: end === text.length ? null : end + 1 };
  }
  const inner = text.slice(open + 1, close);
  return { value: quote === '"' ? inner.replaceAll("\\n", "\n") : inner, next: endOfLine(text, close + 1) + 1 };
}

/** The name of a statement. Node 20 reads one character too far ahead of a name of spaces alone: the LF before it. */
function keyOf(written: string): string {
  const key = trimmed(written, " ");
  if (key === "" && written !== "") return "\n";
  return key.startsWith("export ") ? key.slice(7) : key;
}

/** `node --env-file` and `util.parseEnv` of Node 20: a name reaches back over lines without `=`, a byte order mark stays. */
export function readAsNode20(text: string): ReadResult {
  const content = trimmed(text.replaceAll("\r", ""), " ");
  const values = new Map<string, string>();
  let at = 0;
  while (at < content.length) {
    const end = endOfLine(content, at);
    if ((content[at] === "\n" || content[at] === "#") && end < content.length) {
      at = end + 1;
      continue;
    }
    const equals = content.indexOf("=", at);
    if (equals === -1) break;
    const key = keyOf(content.slice(at, equals));
    if (equals === at) break;
    let open = equals + 1;
    while (content[open] === " ") open++;
    if (open >= content.length) {
      values.set(key, "");
      break;
    }
    const { value, next } = nodeValue(content, open, " ");
    if (next === null) at = open;
    else {
      values.set(key, value);
      at = next;
    }
  }
  return { ok: true, values };
}

const SPACE = " \t\n";

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && SPACE.includes(text[at] as string)) at++;
  return at;
}

/** `node --env-file` and `util.parseEnv` of Node 24: a blank value with a space behind its `=` takes the next line. */
export function readAsNode24(text: string): ReadResult {
  const content = trimmed(text.replaceAll("\r", ""), SPACE);
  const values = new Map<string, string>();
  let at = 0;
  while (at < content.length) {
    const end = endOfLine(content, at);
    if (content[at] === "\n" || content[at] === "#") {
      at = end + 1;
      continue;
    }
    const equals = content.indexOf("=", at);
    if (equals === -1 || equals > end) {
      at = skipSpace(content, end + 1);
      continue;
    }
    const key = trimmed(content.slice(at, equals), SPACE);
    if (equals + 1 >= content.length || content[equals + 1] === "\n") {
      values.set(key, "");
      at = equals + 1;
      continue;
    }
    const open = skipSpace(content, equals + 1);
    if (key === "") {
      at = open;
      continue;
    }
    const { value, next } = nodeValue(content, open, SPACE);
    values.set(key.startsWith("export ") ? trimmed(key.slice(7), SPACE) : key, value);
    if (next === null) break;
    const isQuoted =
      `"'\``.includes(content[open] as string) && content.indexOf(content[open] as string, open + 1) !== -1;
    at = isQuoted ? next : skipSpace(content, next);
  }
  return { ok: true, values };
}
