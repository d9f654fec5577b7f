import { endOfLine, nodeValue, trimmed } from "./node.ts";
import type { ReadResult } from "./reader.ts";

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
