import type { ReaderName } from "../readers/reader.ts";

/** Values that stand for themselves in every dialect, unquoted. */
const PLAIN = /^[A-Za-z0-9_./:@%+,=-]*$/;

/** True for a value that every reader reads back as it stands. */
export function isPlainValue(value: string): boolean {
  // Go's readers stop at lines of 64 KiB; 1 KiB of it is left for the name.
  return value.length < 64_512 && PLAIN.test(value);
}

function escaped(value: string, characters: RegExp): string {
  return value.replace(characters, "\\$&");
}

function withLetterEscapes(value: string): string {
  return value.replaceAll("\n", "\\n").replaceAll("\r", "\\r");
}

/** A POSIX shell's single quotes, which nothing but a quote has to leave. */
export function shellQuoted(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}

/**
 * The ways to write a value, the most readable and widest understood first. Which of them a reader reads back is found
 * out by asking it, not by a rule of ours.
 */
export function quotingsOf(value: string, readers: readonly ReaderName[]): string[] {
  const simple = [`'${value}'`, `"${value}"`];
  const forms = [
    // Older flyctl takes only double quotes off.
    ...(readers.includes("fly") ? simple.toReversed() : simple),
    `"${value.replaceAll("\n", "\\n")}"`,
    `"${withLetterEscapes(escaped(value, /["\\$]/g))}"`,
    `"${withLetterEscapes(escaped(value, /["\\]/g))}"`,
    `"${escaped(value, /["\\$`]/g)}"`,
    shellQuoted(value),
    `\`${value}\``,
    `"""${value}"""`,
  ];
  const all = isPlainValue(value) ? [value, ...forms] : [...forms, value];
  return [...new Set(all)];
}
