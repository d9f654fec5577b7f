import { closestName } from "../../../base/closest-name.ts";
import { lines, plainText, shown } from "../../../base/shown.ts";
import { isEnvName, MAX_VALUE_BYTES, withoutFinalBreak } from "../../../envfile/index.ts";
import { STDIN_NAME } from "../../../workspace/paths.ts";
import { textOf } from "../../../workspace/read-file.ts";
import { setSecret, type NewValue, type SetSecretOutcome } from "../../../workspace/set-secret.ts";
import { PASSED, PROBLEMS } from "../../exit-status.ts";
import { printError, usageError } from "../../output.ts";
import { askSecret } from "../../prompts.ts";
import { type ProcessIo, readStdin } from "../../process-io.ts";
import { reportInputProblem, reportWriteErrors } from "../../reporting.ts";
import { hasOption, type Invocation, textOption } from "../../command-definition.ts";
import { deploymentPath } from "../../deployment-argument.ts";

async function report(io: ProcessIo, name: string, outcome: SetSecretOutcome): Promise<number> {
  if (outcome.kind === "unreadable") return reportInputProblem(io, outcome.problem);
  if (outcome.kind === "refused") {
    printError(io, `nothing was written: ${outcome.reason}`);
    return PROBLEMS;
  }
  // In words only: a code frame of an env file has nothing to show.
  for (const { severity, rule, message, help } of outcome.findings)
    io.stderr.write(shown`${severity}[${rule}]: ${message}\n  help: ${help}\n`);
  if (outcome.kind === "unsound") {
    printError(io, shown`nothing was written to ${plainText(outcome.file)}; --force writes the value all the same`);
    return PROBLEMS;
  }
  const done = outcome.kind === "written" ? `set ${name} in` : `${name} has that value already in`;
  io.stdout.write(shown`${done} ${plainText(outcome.file)}\n`);
  if (outcome.rollout.length > 0)
    io.stderr.write(
      lines([
        shown`info: what runs keeps the former value of ${name} until these commands are run in the deployment directory`,
        ...outcome.rollout.map((command) => shown`  ${plainText(command)}`),
      ]),
    );
  return PASSED;
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
    return "one name is taken and no value, which other users of this machine and the shell's history would see: give it on stdin, or run this on a terminal and be asked";
  if (args[0]?.includes("="))
    return "name the secret alone, and give its value on stdin or at the prompt: arguments are seen by other users of this machine";
  return isEnvName(args[0] ?? "") ? null : "that is not the name of an environment variable";
}

type SecretInput = { readonly value: string } | { readonly reason: string };

/** Reads a secret value: all of stdin without the line break at its end, or the answer to a hidden prompt on a terminal. */
async function readSecret(io: ProcessIo, name: string): Promise<SecretInput> {
  if (io.stdin.isTTY === true) return { value: await askSecret(io, shown`Value of ${name} (not shown)`) };
  const bytes = await readStdin(io, MAX_VALUE_BYTES);
  if (bytes.length > MAX_VALUE_BYTES) return { reason: "the value on stdin is longer than 128 KiB" };
  const read = textOf(bytes, STDIN_NAME);
  if ("problem" in read) return { reason: "stdin is not UTF-8 text" };
  return { value: withoutFinalBreak(read.text.replace(/^\ufeff/, "")) };
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
export async function set(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const wrong = wrongArguments(invocation);
  if (wrong !== null) return usageError(io, wrong);
  const name = args[0] as string;
  const value = await newValue(invocation, name);
  if ("reason" in value) {
    printError(io, `nothing was written: ${value.reason}`);
    return PROBLEMS;
  }
  const options = {
    cwd: io.cwd,
    path: deploymentPath(io, textOption(invocation, "in")),
    envFile: textOption(invocation, "env-file"),
    force: hasOption(invocation, "force"),
  };
  return reportWriteErrors(io, async () => report(io, name, await setSecret(name, value, options)));
}
