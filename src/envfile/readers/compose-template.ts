/** Result of substituting: the text, or null where compose gives up. */
export type Substituted = string | null;

const NAME = /[_a-zA-Z][_a-zA-Z0-9]*/y;

function nameAt(text: string, at: number): string | null {
  NAME.lastIndex = at;
  return NAME.exec(text)?.[0] ?? null;
}

/** Offset of the `}` that closes the `${` at `open`, or -1. */
function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text.startsWith("${", at)) {
      depth++;
      at++;
    } else if (text[at] === "}" && --depth === 0) return at;
  }
  return -1;
}

/** Deeper defaults within defaults are given up on, before they overflow the stack. */
const MAX_DEPTH = 100;

function braced(content: string, values: ReadonlyMap<string, string>, depth: number): Substituted {
  const name = nameAt(content, 0);
  if (name === null) return null;
  const value = values.get(name);
  const operator = /^:?[-?+]/.exec(content.slice(name.length))?.[0] ?? "";
  const operand = content.slice(name.length + operator.length);
  const isSet = value !== undefined && (!operator.startsWith(":") || value !== "");
  if (operator === "") return operand === "" ? (value ?? "") : null;
  if (operator.endsWith("-")) return isSet ? value : substitute(operand, values, depth + 1);
  if (operator.endsWith("+")) return isSet ? substitute(operand, values, depth + 1) : "";
  return isSet ? value : null;
}

/** Compose's `$NAME` and `${NAME…}`: `$$` is a dollar, names come from `values`, an unknown one is blank. */
export function substitute(text: string, values: ReadonlyMap<string, string>, depth = 0): Substituted {
  if (depth > MAX_DEPTH) return null;
  let result = "";
  let at = 0;
  for (let dollar = text.indexOf("$"); dollar !== -1; dollar = text.indexOf("$", at)) {
    result += text.slice(at, dollar);
    const name = nameAt(text, dollar + 1);
    if (text[dollar + 1] === "$") {
      result += "$";
      at = dollar + 2;
    } else if (name !== null) {
      result += values.get(name) ?? "";
      at = dollar + 1 + name.length;
    } else {
      const close = text[dollar + 1] === "{" ? closingBrace(text, dollar) : -1;
      const value = close === -1 ? null : braced(text.slice(dollar + 2, close), values, depth);
      if (value === null) return null;
      result += value;
      at = close + 1;
    }
  }
  return result + text.slice(at);
}
