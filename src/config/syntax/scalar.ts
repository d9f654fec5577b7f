import { parseJson } from "../../base/json.ts";
import type { ConfigNode } from "../node.ts";
import type { Problems } from "./problems.ts";
import type { Token } from "./token-reader.ts";

/** Faults of jsonc-parser's scanner. */
const UNCLOSED_STRING: Token["fault"] = 2;
const INCOMPLETE_NUMBER: Token["fault"] = 3;

/** Words that mean a value in other dialects. */
const FOREIGN_WORDS = ["NaN", "Infinity", "-Infinity", "+Infinity", "undefined", "None", "nil"];
const PLAIN_WORD = /^[A-Za-z][\w.-]*$/;

/** A backslash with what follows it; the first kind is one of JSON's. */
const ESCAPES = /\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|u?[0-9a-fA-F]{0,3}[^]?)/g;
const LONE_SURROGATE = /\p{Surrogate}/u;
// oxlint-disable-next-line no-control-regex -- finding them is the purpose
const CONTROL = /[\u0000-\u001f]/;

/** Reads a value of one token; null when it cannot be known what was meant. */
export function readScalar(token: Token, text: string, problems: Problems): ConfigNode | null {
  const { start, end } = token;
  switch (token.kind) {
    case "string":
      return checkString(token, text, problems) ? { kind: "string", start, end, value: token.value } : null;
    case "number": {
      const value = readNumber(token, problems);
      return value === null ? null : { kind: "number", start, end, value };
    }
    case "true":
    case "false":
      return { kind: "boolean", start, end, value: token.kind === "true" };
    case "null":
      return { kind: "null", start, end };
    case "quoted":
      return { kind: "string", start, end, value: readForeignText(token, problems) };
    default:
      return readWord(token, problems);
  }
}

/** Judges a string token. False when it is not closed, so that its value cannot be trusted. */
export function checkString(token: Token, text: string, problems: Problems): boolean {
  if (token.fault === UNCLOSED_STRING) {
    problems.guess("unclosedString", token);
    return false;
  }
  const source = text.slice(token.start, token.end);
  if (token.fault !== 0) checkContent(token.start, source, problems);
  // Raw ones are found in the text as a whole; here remain those that escapes write.
  const hasEscapes = token.value.length !== source.length - 2;
  if (hasEscapes && LONE_SURROGATE.test(token.value) && !LONE_SURROGATE.test(source))
    problems.note("escapedSurrogate", token);
  if (hasEscapes && token.value.includes("\0") && !source.includes("\0")) problems.note("escapedNul", token);
  return true;
}

function checkContent(start: number, source: string, problems: Problems): void {
  const escape = [...source.matchAll(ESCAPES)].find((match) => match[1] === undefined);
  const control = CONTROL.exec(source);
  if (escape !== undefined) {
    const end = Math.min(escape.index + 2, source.length);
    problems.note("escape", { start: start + escape.index, end: start + end });
  } else if (control !== null) {
    const isTab = control[0] === "\t";
    const name = `U+${control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    problems.note(
      "controlCharacter",
      { start: start + control.index, end: start + control.index + 1 },
      `a control character (${isTab ? `tab, ${name}` : name}) stands inside the text`,
      `write it as \`${JSON.stringify(control[0]).slice(1, -1)}\`, or delete it`,
    );
  }
}

/** Reports a string in foreign quotes; returns its text. */
export function readForeignText(token: Token, problems: Problems): string {
  const text = foreignText(token.value);
  problems.habit("foreignQuotes", token, "place", JSON.stringify(text));
  return text;
}

/** The text of a string in foreign quotes, read as its writer meant it. */
function foreignText(source: string): string {
  const inner = source
    .slice(1, -1)
    .replace(/\\(['`\u2018\u2019])/g, "$1")
    .replace(/(?<!\\)((?:\\\\)*)"/g, '$1\\"');
  return (parseJson(`"${inner}"`) as string | undefined) ?? source.slice(1, -1);
}

/** The value of a number token; null when no JavaScript number can hold it, which is then a finding. */
function readNumber(token: Token, problems: Problems): number | null {
  if (token.fault === INCOMPLETE_NUMBER) {
    problems.guess("incompleteNumber", token);
    return null;
  }
  const value = Number(token.value);
  const vanishes = value === 0 && /[1-9]/.test(token.value.split(/[eE]/, 1)[0] as string);
  if (!Number.isFinite(value) || vanishes) {
    const read = vanishes ? "0" : "infinity";
    problems.note("numberRange", token, `the number is out of range: programs would read it as ${read}`);
    problems.broken = true;
    return null;
  }
  if (token.value.length > 15 && /^-?\d+$/.test(token.value) && BigInt(token.value) !== BigInt(value))
    problems.note("inexactNumber", token);
  return value;
}

/** Never shows the word, except for known ones: it may be a secret that lost its quotes. */
function readWord(token: Token, problems: Problems): ConfigNode | null {
  const { start, end, value: word } = token;
  const number = foreignNumber(word);
  const keyword = ["true", "false", "null"].find((name) => name === word.toLowerCase());
  if (number !== null) {
    problems.note("foreignNumber", token);
    return { kind: "number", start, end, value: number };
  }
  if (keyword !== undefined) {
    problems.guessWhole("upperCaseWord", token, `\`${keyword}\` is written in lower case`, `write \`${keyword}\``);
    return keyword === "null"
      ? { kind: "null", start, end }
      : { kind: "boolean", start, end, value: keyword === "true" };
  }
  if (FOREIGN_WORDS.includes(word)) {
    problems.guess("foreignWord", token, `JSON has no \`${word.replace(/^[-+]/, "")}\``);
    return null;
  }
  if (/^[-+.\d]/.test(word)) {
    problems.guess("noNumber", token);
    return null;
  }
  problems.guessWhole("bareText", token);
  if (PLAIN_WORD.test(word)) return { kind: "string", start, end, value: word };
  problems.broken = true;
  return null;
}

/** What a word in the place of a number means in the dialects that know it; null when it means none. */
function foreignNumber(word: string): number | null {
  const sign = word.startsWith("-") ? -1 : 1;
  const digits = word.replace(/^[+-]/, "");
  const isNumber = /^(?:0[xX][0-9a-fA-F]{1,12}|(?:0|[1-9]\d{0,14})(?:\.\d*)?|\.\d+)$/.test(digits);
  return isNumber ? sign * Number(digits) : null;
}
