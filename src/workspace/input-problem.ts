import type { Diagnostic } from "../diagnostics/diagnostic.ts";

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

/** An unset variable of a script must not make a command look at another directory than was meant. */
export function emptyPathProblem(): Diagnostic {
  return inputProblem("missing", ".", "an empty path names nothing", "check what the command line was made from");
}
