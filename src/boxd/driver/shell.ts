import { BoxdDriverError } from "./errors.ts";

/** One word for a POSIX shell, whatever it contains. Throws `invalid` for a NUL, which no argument can hold. */
export function shellQuote(word: string): string {
  if (word.includes("\0"))
    throw new BoxdDriverError({ kind: "invalid" }, "a shell word cannot contain a NUL character");
  return /^[A-Za-z0-9_./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** Several words, separated by spaces. */
export function shellWords(words: readonly string[]): string {
  return words.map(shellQuote).join(" ");
}
