/** Controls, format characters (bidi overrides, zero-width ones), line separators, lone surrogates, and what no XML may hold. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\p{Noncharacter_Code_Point}]/gu;

/**
 * What a CI service takes for a command when a step prints it: Azure Pipelines, GitHub's older runners and TeamCity
 * anywhere in a line (`##vso[`, `##[`, `##teamcity[`), GitHub at its start (`::error …::`). GitLab's and Travis' marks need a
 * control character.
 */
const MARK = /##(?=[A-Za-z]*\[)/g;
const MARK_AT = /##(?=[A-Za-z]{0,32}\[)/y;
const COMMAND = /^(\s*):(?=:[A-Za-z][^\n]*?::)/;

/** True where a command of {@link MARK} starts. */
export function startsMark(text: string, at: number): boolean {
  MARK_AT.lastIndex = at;
  return text[at] === "#" && MARK_AT.test(text);
}

const SHORT: { readonly [unit: string]: string } = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) as number;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\u{${code.toString(16)}}`;
}

/** True for text of nothing but printable ASCII. */
export function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** True for text that {@link printable} leaves as it is. */
export function isPrintable(text: string): boolean {
  return printable(text) === text;
}

/**
 * Text of a user made safe for a terminal or a log: what could move the cursor, hide or reorder text, or give a command to
 * a CI service is written as an escape.
 */
export function printable(text: string): string {
  const safe = isAscii(text) ? text : text.replace(UNSAFE, escaped);
  const quiet = safe.includes("##") ? safe.replace(MARK, "\\x23#") : safe;
  return quiet.includes("::") ? quiet.replace(COMMAND, "$1\\x3a") : quiet;
}

/** JSON in which the same characters are written as `\uXXXX`, so that the value stays exactly what it was. */
export function printableJson(json: string): string {
  const quiet = json.includes("##") ? json.replace(MARK, "\\u0023#") : json;
  if (/^[\n\x20-\x7e]*$/.test(quiet)) return quiet;
  return quiet.replace(UNSAFE, (character) =>
    character === "\n"
      ? character
      : character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}
