import { eastAsianWidth } from "get-east-asian-width";
import { isAscii } from "./printable.ts";

/** Marks that are drawn on the character before them. */
const COMBINING = /^[\p{Mn}\p{Me}]$/u;

/** Columns that a terminal needs for one character (a whole code point). */
export function characterWidth(character: string): 0 | 1 | 2 {
  if (character.charCodeAt(0) < 0x300) return 1;
  return COMBINING.test(character) ? 0 : eastAsianWidth(character.codePointAt(0) as number);
}

/** Columns that a terminal needs for a printable text. */
export function textWidth(text: string): number {
  if (isAscii(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}
