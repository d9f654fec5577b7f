import { givesUp, type ReadResult } from "./reader.ts";

/** What Go's `unicode.IsSpace` takes for space; JavaScript's `trim` knows no U+0085 but U+FEFF. */
const SPACE = "\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const GO_SPACE = new RegExp(`[${SPACE}]`);

/** True for a character that Go takes for space. */
export function isGoSpace(character: string | undefined): boolean {
  return character !== undefined && GO_SPACE.test(character);
}

/** Go's `strings.TrimRightFunc(text, unicode.IsSpace)`. */
export function goTrimRight(text: string): string {
  let at = text.length;
  while (isGoSpace(text[at - 1])) at--;
  return text.slice(0, at);
}

/** Space that is no line end, as compose sees it. */
const BLANK = /[\t\v\f\r \u0085\u00a0]/;
const KEY_CHARACTER = /[\p{L}\p{N}_.\-[\]]/u;

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && BLANK.test(text[at] as string)) at++;
  return at;
}

/** Offset of the next statement, or the length of the text. */
function statementStart(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (isGoSpace(text[at])) at++;
    if (text[at] !== "#") return at;
    const end = text.indexOf("\n", at);
    if (end === -1) return text.length;
    at = end;
  }
}

type KeyEnd = { readonly kind: "value" | "inherited" | "none" | "bad"; readonly at: number };

function keyEnd(text: string, from: number): KeyEnd {
  for (let at = from; at < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(at) as number);
    if (character === "=" || character === ":") return { kind: "value", at };
    if (character === "\n") return { kind: "inherited", at };
    if (!BLANK.test(character) && !KEY_CHARACTER.test(character)) return { kind: "bad", at };
    at += character.length;
  }
  return { kind: "none", at: from };
}

/** How a version of compose finds the end of a quoted value: by pairs (new), or by the one character before (old). */
type QuoteScan = (text: string, open: number) => { readonly inner: string; readonly close: number } | null;

function scanByPairs(text: string, open: number): { inner: string; close: number } | null {
  const quote = text[open];
  let inner = "";
  for (let at = open + 1; at < text.length; at++) {
    const unit = text[at] as string;
    if (unit === quote) return { inner, close: at };
    if (unit === "\\" && at + 1 < text.length) {
      at++;
      inner += text[at] === quote ? quote : `\\${text[at]}`;
    } else inner += unit;
  }
  return null;
}

function scanByLookBehind(text: string, open: number): { inner: string; close: number } | null {
  const quote = text[open] as string;
  for (let at = text.indexOf(quote, open + 1); at !== -1; at = text.indexOf(quote, at + 1)) {
    if (text[at - 1] !== "\\") return { inner: text.slice(open + 1, at), close: at };
  }
  return null;
}

const ESCAPES = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
  ['"', '"'],
  ["$", "$$"],
]);

/** Escapes of a double-quoted value. An octal one needs three digits behind its `\0`; `\c` and short octals stay. */
function expandEscapes(inner: string): string {
  return inner.replace(
    /\\(?:0(\d{0,3})|([abcfnrtv$"\\]))/g,
    (whole, octal: string | undefined, letter: string | undefined) => {
      if (letter !== undefined) return ESCAPES.get(letter) ?? whole;
      return octal !== undefined && /^[0-3][0-7]{2}$/.test(octal)
        ? String.fromCharCode(Number.parseInt(octal, 8))
        : whole;
    },
  );
}

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

function braced(content: string, values: ReadonlyMap<string, string>, depth: number): string | null {
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

/** Compose's `$NAME` and `${NAME…}`: `$$` is a dollar, names come from `values`, an unknown one is blank. Null where compose gives up. */
function substitute(text: string, values: ReadonlyMap<string, string>, depth = 0): string | null {
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

function read(text: string, scan: QuoteScan): ReadResult {
  const values = new Map<string, string>();
  for (
    let at = statementStart(text, text.startsWith("\uFEFF") ? 1 : 0);
    at < text.length;
    at = statementStart(text, at)
  ) {
    const isExport = /^export[\t\n\f\r ]/.test(text.slice(at, at + 7));
    const start = isExport ? skipBlank(text, at + 6) : at;
    const end = keyEnd(text, start);
    if (end.kind === "bad") return givesUp(text, end.at, "the name holds a character that compose refuses");
    const key = end.kind === "none" ? "" : goTrimRight(text.slice(start, end.at));
    if (key.includes(" ")) return givesUp(text, start, "the name holds a space");
    if (end.kind === "inherited") {
      at = end.at + 1;
      continue;
    }
    const open = skipBlank(text, end.kind === "none" ? start : end.at + 1);
    const quote = text[open];
    let raw: string;
    if (quote === '"' || quote === "'") {
      const quoted = scan(text, open);
      if (quoted === null) return givesUp(text, open, "a quote is never closed");
      at = quoted.close + 1;
      if (quote === "'") {
        values.set(key, quoted.inner);
        continue;
      }
      raw = expandEscapes(quoted.inner);
    } else {
      const newline = text.indexOf("\n", open);
      const line = text.slice(open, newline === -1 ? text.length : newline);
      const comment = line.indexOf(" #");
      raw = goTrimRight(comment === -1 ? line : line.slice(0, comment));
      at = newline === -1 ? text.length : newline + 1;
    }
    const value = substitute(raw, values);
    if (value === null) return givesUp(text, open, "a `$` starts no reference that compose understands");
    values.set(key, value);
  }
  return { ok: true, values };
}

/** The `env_file` of docker compose v2 (compose-go 2.13), with an empty environment behind its `$NAME`. */
export function readAsCompose(text: string): ReadResult {
  return read(text, scanByPairs);
}

/** The same in older releases of compose v2, which see a quote as escaped by the one character before it. */
export function readAsOlderCompose(text: string): ReadResult {
  return read(text, scanByLookBehind);
}
