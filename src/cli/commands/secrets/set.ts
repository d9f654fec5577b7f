import { closestName } from "../../../base/closest-name.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { printable } from "../../../base/printable.ts";
import { isEnvName } from "../../../envfile/index.ts";
import { setSecret, type SetSecretOutcome, type NewValue } from "../../../workspace/set-secret.ts";
import { PASSED, PROBLEMS, USAGE } from "../../exit-status.ts";
import type { ProcessIo } from "../../process-io.ts";
import { printInputProblem } from "../../print-diagnostics.ts";
import { readSecret } from "../../secret-input.ts";
import { hasOption, type Invocation, textOption } from "../../command-definition.ts";
import { reportWriteErrors } from "../../write-errors.ts";

/** Findings in words only: a code frame of an env file has nothing to show. */
function say(io: ProcessIo, findings: readonly Diagnostic[]): void {
  for (const { severity, rule, message, help } of findings)
    io.stderr.write(`${severity}[${rule}]: ${printable(message)}\n  help: ${printable(help)}\n`);
}

async function report(io: ProcessIo, name: string, outcome: SetSecretOutcome): Promise<number> {
  switch (outcome.kind) {
    case "unreadable":
      await printInputProblem(io, outcome.problem);
      return USAGE;
    case "refused":
      io.stderr.write(`error: nothing was written: ${printable(outcome.reason)}\n`);
      return PROBLEMS;
    case "unsound":
      say(io, outcome.findings);
      io.stderr.write(
        `error: nothing was written to ${printable(outcome.file)}; --force writes the value all the same\n`,
      );
      return PROBLEMS;
    case "unchanged":
      say(io, outcome.findings);
      io.stdout.write(`${name} has that value already in ${printable(outcome.file)}\n`);
      return PASSED;
    case "written":
      say(io, outcome.findings);
      io.stdout.write(`set ${name} in ${printable(outcome.file)}\n`);
      return PASSED;
  }
}

/** What is wrong with the arguments, without repeating any: one of them may be a secret. */
function wrongArguments({ args, command }: Invocation): string | null {
  const options = (command.options ?? []).map(({ name }) => `--${name}`);
  const meant = args
    .filter((word) => word.startsWith("--"))
    .map((word) => closestName(word, options))
    .find((option) => option !== null);
  if (meant !== undefined) return `there is no such option; did you mean ${meant}?`;
  if (args.length > 1 || args[0]?.startsWith("-") === true)
    return "a value is not taken as an argument, where other users of this machine and the shell's history see it: give it on stdin, or run this on a terminal and be asked";
  if (args[0]?.includes("="))
    return "name the secret alone, and give its value on stdin or at the prompt: arguments are seen by other users of this machine";
  return isEnvName(args[0] ?? "") ? null : "that is not the name of an environment variable";
}

async function newValue(invocation: Invocation, name: string): Promise<NewValue | { readonly reason: string }> {
  if (hasOption(invocation, "generate")) return { generated: true };
  const input = await readSecret(invocation.io, name);
  if ("reason" in input) return input;
  return input.value.trim() === ""
    ? { reason: "the value is blank; to take a secret out, delete its line" }
    : { given: input.value };
}

/** `qm-deploy secrets set`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const wrong = wrongArguments(invocation);
  if (wrong !== null) {
    io.stderr.write(`error: ${wrong}\n`);
    return USAGE;
  }
  const name = args[0] as string;
  const value = await newValue(invocation, name);
  if ("reason" in value) {
    io.stderr.write(`error: nothing was written: ${value.reason}\n`);
    return PROBLEMS;
  }
  const options = {
    cwd: io.cwd,
    path: textOption(invocation, "in") ?? ".",
    envFile: textOption(invocation, "env-file"),
    force: hasOption(invocation, "force"),
  };
  return reportWriteErrors(io, async () => report(io, name, await setSecret(name, value, options)));
}
