import type { ReadResult } from "./reader.ts";

/** Offset of the first character at or after `from` that is no space, tab or LF. */
function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t" || text[at] === "\n") at++;
  return at;
}

function trimmed(text: string): string {
  let end = text.length;
  while (end > 0 && " \t\n".includes(text[end - 1] as string)) end--;
  const start = skipSpace(text, 0);
  return start < end ? text.slice(start, end) : "";
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at === -1 ? text.length : at;
}

/** The value that starts at `open`, and the offset behind its line. */
function valueAt(text: string, open: number): { value: string; next: number } {
  const quote = text[open];
  if (quote === '"' || quote === "'" || quote === "`") {
    const close = text.indexOf(quote, open + 1);
    if (close === -1) {
      const end = endOfLine(text, open);
      return { value: text.slice(open, end), next: end + 1 };
    }
    const inner = text.slice(open + 1, close);
    return { value: quote === '"' ? inner.replaceAll("\\n", "\n") : inner, next: endOfLine(text, close + 1) + 1 };
  }
  const end = endOfLine(text, open);
  const line = text.slice(open, end);
  const hash = line.indexOf("#");
  return { value: trimmed(hash === -1 ? line : line.slice(0, hash)), next: end + 1 };
}

/** `node --env-file` and `util.parseEnv` of Node 20: no escapes but `\n`, `#` always cuts, a byte order mark stays. */
export function readAsNode(text: string): ReadResult {
  const content = trimmed(text.replaceAll("\r", ""));
  const values = new Map<string, string>();
  let at = 0;
  while (at < content.length) {
    if (content[at] === "\n" || content[at] === "#") {
      at = skipSpace(content, endOfLine(content, at) + 1);
      continue;
    }
    const end = endOfLine(content, at);
    const equals = content.indexOf("=", at);
    if (equals === -1 || equals > end) {
      at = skipSpace(content, end + 1);
      continue;
    }
    const written = trimmed(content.slice(at, equals));
    const key = written.startsWith("export ") ? trimmed(written.slice(7)) : written;
    if (written === "") {
      at = end + 1;
      continue;
    }
    if (equals + 1 >= content.length || content[equals + 1] === "\n") {
      values.set(key, "");
      at = equals + 2;
      continue;
    }
    const found = valueAt(content, skipSpace(content, equals + 1));
    values.set(key, found.value);
    at = found.next;
  }
  return { ok: true, values };
}
