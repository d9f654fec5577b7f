/** Controls, format characters (bidi overrides, zero-width ones), line separators and lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

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

/** Text of a user made safe for a terminal or a log: what could move the cursor, hide or reorder text is written as an escape. */
export function printable(text: string): string {
  return isAscii(text) ? text : text.replace(UNSAFE, escaped);
}

/** JSON in which the same characters are written as `\uXXXX`, so that the value stays exactly what it was. */
export function printableJson(json: string): string {
  if (/^[\n\x20-\x7e]*$/.test(json)) return json;
  return json.replace(UNSAFE, (character) =>
    character === "\n"
      ? character
      : character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}
