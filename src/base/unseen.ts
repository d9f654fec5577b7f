import { isAscii } from "./printable.ts";

/** A character that nobody sees, or takes for another one, and that came in by copy and paste. */
export interface UnseenCharacter {
  /** Its place in the text, in UTF-16 units, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  /** What it is: "an invisible character (U+200B)". */
  readonly what: string;
}

/** Controls, format characters, blank fillers, and spaces other than the ordinary one. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufffd]/gu;

/** Of ASCII, what lays out a text. */
const PLAIN = /^[\t\n\r ]$/;

/** What writers of some scripts and of emoji need: it is meant where it follows a character of such a text. */
const JOINERS = /^(?:\u200c|\u200d|\ufe0e|\ufe0f|[\u{e0020}-\u{e007f}])$/u;

/** Quotes, dashes and dots that word processors put in the place of those of ASCII. */
const TYPOGRAPHIC = /[\u2010-\u2015\u2018-\u201f\u2026\u00ab\u00bb\u2212]/u;

/**
 * The first character of a value that cannot be meant: an invisible one, a space of another kind in a text without spaces or at its edge, and,
 * in a key (`isKey`: no text for people), a typographic quote or dash among ASCII. Null where there is none.
 */
export function findUnseen(text: string, isKey: boolean): UnseenCharacter | null {
  if (isAscii(text)) return null;
  const hasBlanks = text.includes(" ");
  const first = text.length - text.trimStart().length;
  const last = text.trimEnd().length;
  for (const { 0: character, index } of text.matchAll(UNSEEN)) {
    const end = index + character.length;
    if (PLAIN.test(character)) continue;
    const isSpace = /^\p{Zs}$/u.test(character);
    if (isSpace && hasBlanks && index >= first && end <= last) continue;
    if (JOINERS.test(character) && followsText(text, index)) continue;
    const kind = isSpace
      ? "a space that is none"
      : character < "\x80"
        ? "a control character"
        : "an invisible character";
    return { start: index, end, what: `${kind} (${codeOf(character)})` };
  }
  const typographic = isKey && !hasBlanks ? TYPOGRAPHIC.exec(text) : null;
  if (typographic === null || !isAscii(text.replace(new RegExp(TYPOGRAPHIC, "gu"), ""))) return null;
  const { 0: character, index } = typographic;
  return { start: index, end: index + 1, what: `a typographic character (${codeOf(character)})` };
}

/** True where a character that is not ASCII, or one of a keycap, stands before an offset. */
function followsText(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 1), index);
  return before > "\x7f" || /^[0-9#*]$/.test(before);
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}`;
}
