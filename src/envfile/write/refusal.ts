import { isEnvName } from "../env-document.ts";
import type { Program } from "./programs.ts";

/** Why a value was not written. Names the variable, the program and one character at most, never the value. */
export interface EnvRefusal {
  readonly name: string;
  /** The program that cannot carry it; null where none can, or where two want different quotings. */
  readonly reader: Program | null;
  /** The character in the way; null where it is not one alone. */
  readonly character: string | null;
  readonly reason: string;
}

const CHARACTER_NAMES = new Map([
  [" ", "space"],
  ["\t", "tab"],
  ["\n", "line break"],
  ["\r", "carriage return"],
  ["\0", "NUL"],
  ["\x7f", "DEL"],
]);

/** A character as a message names it: `#`, space, U+00A0. */
function characterName(character: string): string {
  const known = CHARACTER_NAMES.get(character);
  if (known !== undefined) return known;
  if (/^[!-~]$/.test(character)) return `\`${character === "`" ? "backtick" : character}\``;
  return `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** What makes a name or value unfit for any environment; null where nothing does. */
export function unfit(name: string, value: string): EnvRefusal | null {
  const refusal = { name, reader: null, character: null };
  if (name === "") return { ...refusal, reason: "the name is empty" };
  if (!isEnvName(name)) return { ...refusal, reason: "the name is not that of an environment variable" };
  if (value.includes("\0"))
    return { ...refusal, character: "\0", reason: `the value of \`${name}\` holds NUL, which no environment carries` };
  const lone = /\p{Cs}/u.exec(value)?.[0];
  if (lone === undefined) return null;
  return {
    ...refusal,
    character: lone,
    reason: `the value of \`${name}\` holds half a character (${characterName(lone)}), which is no text`,
  };
}

/** More distinct characters than this are not tried one by one. */
const MAX_SUSPECTS = 32;

/** The first character without which `fits` is true. */
function culprit(value: string, fits: (value: string) => boolean): string | null {
  const odd = [...new Set(value.replace(/[A-Za-z0-9_./:@%+,=-]/g, ""))].slice(0, MAX_SUSPECTS);
  // A space is in the way only where nothing else is.
  const suspects = [...odd.filter((character) => character !== " "), " "];
  return suspects.find((character) => fits(value.replaceAll(character, ""))) ?? null;
}

/** Says which program and which character are in the way. `fits` tells whether some quoting suits the programs given. */
export function refusalOf(
  name: string,
  value: string,
  programs: readonly Program[],
  fits: (value: string, programs: readonly Program[]) => boolean,
): EnvRefusal {
  const reader = programs.find((one) => !fits(value, [one])) ?? null;
  const asked = reader === null ? programs : [reader];
  const character = culprit(value, (rest) => fits(rest, asked));
  const what =
    character === null ? "its mixture of quotes and special characters, or its length" : characterName(character);
  const whom =
    reader === null
      ? `${programs.join(", ")} read no form of the value of \`${name}\` alike`
      : `${reader} cannot carry the value of \`${name}\``;
  return { name, reader, character, reason: `${whom}: ${what} is in the way` };
}
