import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { RuleInfo } from "../diagnostics/rule-info.ts";

/** Why an input could not be used at all. */
export type ProblemKind =
  "missing" | "unreadable" | "not-a-file" | "too-large" | "not-text" | "no-deployment" | "unwritable";

function rule(kind: ProblemKind, title: string, why: string): RuleInfo {
  return { id: `input/${kind}`, title, severity: "error", clause: null, why, bad: "", good: "" };
}

/** What can be wrong with an input before it is looked into; each ends a run with status 2. */
export const INPUT_RULES: readonly RuleInfo[] = [
  rule(
    "missing",
    "Input that does not exist",
    "A path that is not there is a wrong command or a lost file, never a deployment that passes.",
  ),
  rule("unreadable", "Input that cannot be read", "Without permission to read a file nothing can be said about it."),
  rule(
    "not-a-file",
    "Input that is not a regular file",
    "Pipes, sockets and devices are not read, since reading them could block or never end.",
  ),
  rule(
    "too-large",
    "Input above the size limit",
    "A config or an env file of more than 1 MiB is not one; the limit keeps memory and time bounded.",
  ),
  rule(
    "not-text",
    "Input that is not UTF-8 text",
    "QM reads its files as UTF-8. Text in another encoding would be read as something else than it says.",
  ),
  rule("no-deployment", "No deployment found", "A gate that looks at nothing must not pass."),
  rule(
    "unwritable",
    "Fixes that could not be written",
    "A config that is a link, is read-only or changes meanwhile is left as it was; what `--fix` would have mended is still there.",
  ),
];

/** An input problem as a finding about a whole file. */
export function inputProblem(kind: ProblemKind, file: string, message: string, help: string): Diagnostic {
  return { rule: `input/${kind}`, clause: null, severity: "error", message, help, file, range: null, fix: null };
}

/** An unset variable of a script must not make a command look at another directory than was meant. */
export function emptyPathProblem(): Diagnostic {
  return inputProblem("missing", ".", "an empty path names nothing", "check what the command line was made from");
}
