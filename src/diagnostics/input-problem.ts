import type { Diagnostic } from "./diagnostic.ts";

/** Why an input could not be used at all. */
export type ProblemKind =
  "missing" | "unreadable" | "not-a-file" | "too-large" | "not-text" | "no-deployment" | "unwritable";

/** An input problem as a finding about a whole file. */
export function inputProblem(
  kind: ProblemKind,
  file: string,
  message: string,
  help: string,
  command: string | null = null,
): Diagnostic {
  const rule = `input/${kind}` as const;
  return { rule, clause: null, severity: "error", message, help, command, file, range: null, fix: null };
}

/** Text files above this many bytes are not read. */
export const MAX_TEXT_BYTES = 1024 * 1024;

/** Of a text that is longer than anything that is meant to be read here. */
export function tooLargeProblem(file: string): Diagnostic {
  const help = "what is read here is far smaller; check that the path is right";
  return inputProblem("too-large", file, "the file is larger than 1 MiB", help);
}

/** An unset variable of a script must not make a command look at another directory than was meant. */
export function emptyPathProblem(): Diagnostic {
  return inputProblem("missing", ".", "an empty path names nothing", "check what the command line was made from");
}
