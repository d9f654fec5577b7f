import { BoxdDriverError } from "./errors.ts";

/** One word for a POSIX shell, whatever it contains. Throws `invalid` for a NUL, which no argument can hold. */
export function shellQuote(word: string): string {
  if (word.includes("\0")) throw new BoxdDriverError("invalid", "a shell word cannot contain a NUL character");
  return /^[A-Za-z0-9_./:@%+,-]+$/.test(word) ? word : singleQuoted(word);
}

/** Several words, separated by spaces. */
export function shellWords(words: readonly string[]): string {
  return words.map(shellQuote).join(" ");
}

/** Names that a POSIX shell keeps for itself: assigning them fails or means something else. */
const SHELL_OWNED = /^(?:OPTIND|PPID|UID|EUID|BASHOPTS|SHELLOPTS|BASH_VERSINFO)$/;

/**
 * An environment as `export` lines for a POSIX shell to read. They travel as a 0600 file: a value never reaches a command line.
 * Throws `invalid` for a name that is none, naming it; a value is never named.
 */
export function shellExports(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => {
      const problem = variableProblem(name, value);
      if (problem !== undefined) throw new BoxdDriverError("invalid", problem);
      // Always quoted, unlike a shell word: `export A=~` would expand.
      return `export ${name}=${singleQuoted(value)}\n`;
    })
    .join("");
}

function variableProblem(name: string, value: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return `"${name}" is not an environment variable name`;
  if (SHELL_OWNED.test(name)) return `environment variable "${name}" belongs to the shell and cannot be set`;
  return value.includes("\0") ? `the value of environment variable "${name}" contains a NUL character` : undefined;
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}
