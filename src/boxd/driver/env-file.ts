import { BoxdDriverError } from "./errors.ts";

/** Names that a POSIX shell keeps for itself: assigning them fails or means something else. */
const SHELL_OWNED: ReadonlySet<string> = new Set([
  "OPTIND",
  "PPID",
  "UID",
  "EUID",
  "BASHOPTS",
  "SHELLOPTS",
  "BASH_VERSINFO",
]);

/**
 * An environment as text for `.` of a POSIX shell, values single-quoted. It travels as a 0600 file: a value never reaches a command line.
 * Throws `invalid` for a name that is none, naming it; a value is never named.
 */
export function envFile(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `${exportLine(name, value)}\n`)
    .join("");
}

function exportLine(name: string, value: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw invalid(`"${name}" is not an environment variable name`);
  if (SHELL_OWNED.has(name)) throw invalid(`environment variable "${name}" belongs to the shell and cannot be set`);
  if (value.includes("\0")) throw invalid(`the value of environment variable "${name}" contains a NUL character`);
  // Always quoted, unlike a shell word: `export A=~` would expand.
  return `export ${name}='${value.replaceAll("'", `'"'"'`)}'`;
}

function invalid(message: string): BoxdDriverError {
  return new BoxdDriverError({ kind: "invalid" }, message);
}
