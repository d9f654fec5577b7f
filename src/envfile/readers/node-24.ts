import { endOfLine, nodeValue, trimmed } from "./node.ts";
import type { ReadResult } from "./reader.ts";

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
