import type { CommandDefinition } from "../cli/command-definition.ts";
import type { Output, ProcessIo } from "../cli/process-io.ts";

/** A command gave no answer: it has said on stderr why. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** Keeps what is printed. */
export class Collected implements Output {
  text = "";

  write({ text }: { readonly text: string }): void {
    this.text += text;
  }
}

async function* nothing(): AsyncIterable<Buffer> {
  // Nobody types into a step.
}

/**
 * Calls a command of the command line in this process, and reads what it prints with `--format json` (docs/json.md).
 * Options that are null or false are left out.
 *
 * @throws {NoAnswer}
 */
export async function callCommand(
  { cwd, env, stderr, interrupted }: ProcessIo,
  command: CommandDefinition,
  args: readonly string[],
  options: { readonly [name: string]: string | boolean | null },
): Promise<unknown> {
  const stdout = new Collected();
  const given: { [name: string]: string | true } = { format: "json" };
  for (const [name, value] of Object.entries(options)) if (value !== null && value !== false) given[name] = value;
  const io = { argv: [], cwd, env, stdin: nothing(), stdout, stderr, interrupted };
  const run = await command.load?.();
  await run?.({ io, args, options: given, command, commands: [command] });
  if (stdout.text === "") throw new NoAnswer(`${command.name} has no answer`);
  return JSON.parse(stdout.text);
}
