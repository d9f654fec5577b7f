import { isEnvName } from "../env-document.ts";
import { type Program, readBack } from "./programs.ts";

/** Why a value was not written. Names the variable, the program and one character at most, never the value. */
export interface EnvRefusal {
  readonly name: string;
  /** The program that cannot carry it; null where none can, or where two want different quotings. */
  readonly reader: Program | null;
  /** The character in the way; null where it is not one alone. */
  readonly character: string | null;
  readonly reason: string;
}

/** A value as it is written, or why it cannot be. */
export type Quoting =
  { readonly ok: true; readonly written: string } | { readonly ok: false; readonly refusal: EnvRefusal };

/** True for a value that every program reads back as it stands. */
function isPlain(name: string, value: string): boolean {
  // Go's readers stop at lines of 64 KiB.
  return name.length + value.length < 65_000 && /^[A-Za-z0-9_./:@%+,=-]*$/.test(value);
}

/** The ways to write a value, the most readable and widest understood first. */
function quotingsOf(name: string, value: string, programs: readonly Program[]): readonly string[] {
  const simple = [`'${value}'`, `"${value}"`];
  const escaped = value
    .replace(/["\\$]/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
  const quoted = [
    // Older flyctl takes only double quotes off.
    ...(programs.includes("fly") ? simple.toReversed() : simple),
    `"${value.replaceAll("\n", "\\n")}"`,
    `"${escaped}"`,
    `\`${value}\``,
    `"""${value}"""`,
  ];
  return isPlain(name, value) ? [value, ...quoted] : [...quoted, value];
}

/**
 * Every way to write a value that all `programs` read alike, the best first. Which ways these are is found out by asking
 * the programs' grammars, not by a table of ours.
 */
export function portableQuotings(name: string, value: string, programs: readonly Program[]): readonly string[] {
  return quotingsOf(name, value, programs).filter((written) =>
    programs.every((program) => readBack(program, name, written) === value),
  );
}

/** The best way to write a value that all `programs` read alike; else which program and character forbid it. */
export function portableQuoting(name: string, value: string, programs: readonly Program[]): Quoting {
  const refusal = unfit(name, value);
  if (refusal !== null) return { ok: false, refusal };
  if (isPlain(name, value)) return { ok: true, written: value };
  const [written] = portableQuotings(name, value, programs);
  return written === undefined ? { ok: false, refusal: refusalOf(name, value, programs) } : { ok: true, written };
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

/** Says which program and which character are in the way. */
function refusalOf(name: string, value: string, programs: readonly Program[]): EnvRefusal {
  const fits = (other: string, some: readonly Program[]): boolean => portableQuotings(name, other, some).length > 0;
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

/** More distinct characters than this are not tried one by one. */
const MAX_SUSPECTS = 32;

/** The first character without which `fits` is true. */
function culprit(value: string, fits: (value: string) => boolean): string | null {
  const odd = [...new Set(value.replace(/[A-Za-z0-9_./:@%+,=-]/g, ""))].slice(0, MAX_SUSPECTS);
  // A space is in the way only where nothing else is.
  const suspects = [...odd.filter((character) => character !== " "), " "];
  return suspects.find((character) => fits(value.replaceAll(character, ""))) ?? null;
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
