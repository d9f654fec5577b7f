import { isAscii } from "./printable.ts";

/** Marks that are drawn on the character before them. */
const COMBINING = /^[\p{Mn}\p{Me}]$/u;

/** Characters that terminals draw in two columns: East Asian wide and fullwidth ones, and pictures. */
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})$/u;

/** Columns that a terminal needs for one character (a whole code point). */
export function characterWidth(character: string): 0 | 1 | 2 {
  if (character.charCodeAt(0) < 0x300) return 1;
  if (COMBINING.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Columns that a terminal needs for a printable text. */
export function textWidth(text: string): number {
  if (isAscii(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}
