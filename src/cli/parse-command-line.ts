import { Command, CommanderError, Option, Argument } from "commander";
import { ours } from "../base/shown-text.ts";
import type { ProcessIo } from "./process-io.ts";
import type { ArgumentDefinition, CommandDefinition, Invocation, OptionDefinition } from "./command-definition.ts";
import { PASSED, USAGE } from "./exit-status.ts";

function optionOf({ name, short, description, value }: OptionDefinition): Option {
  const flags = `${short === undefined ? "" : `-${short}, `}--${name}`;
  if (value === undefined) return new Option(flags, description);
  // Commander would take the next word for the value of an option that can stand alone; see withPresets.
  const shown = value.preset === undefined ? `<${value.name}>` : `[${value.name}]`;
  const option = new Option(`${flags} ${shown}`, description);
  return value.choices === undefined ? option : option.choices(value.choices);
}

function argumentOf({ name, description, required, many, choices }: ArgumentDefinition): Argument {
  const shown = many === true ? `${name}...` : name;
  const argument = new Argument(required === true ? `<${shown}>` : `[${shown}]`, description);
  return choices === undefined ? argument : argument.choices(choices);
}

function examplesText(examples: CommandDefinition["examples"] = []): string {
  if (examples.length === 0) return "";
  const width = Math.max(...examples.map(([command]) => command.length));
  const lines = examples.map(([command, purpose]) => `  $ ${command.padEnd(width)}  # ${purpose}`);
  return `\nExamples:\n${lines.join("\n")}\n`;
}

/** Commander's options by their names on the command line, not by its camel-case keys. */
function namedOptions(definition: CommandDefinition, command: Command): Invocation["options"] {
  const named: { [name: string]: string | true | undefined } = {};
  for (const { name } of definition.options ?? []) {
    const key = new Option(`--${name}`).attributeName();
    named[name] = command.getOptionValue(key) as string | true | undefined;
  }
  return named;
}

/** Tells commander of a command; `call` hears that it is called. */
function addCommand(
  parent: Command,
  definition: CommandDefinition,
  call: (called: Pick<Invocation, "command" | "args" | "options">) => void,
): void {
  const { name, summary, description, args = [], options = [], commands = [] } = definition;
  const command = parent
    .command(name)
    .description(description === undefined ? summary : `${summary}\n\n${description}`)
    .summary(summary)
    .addHelpText("after", examplesText(definition.examples))
    .allowUnknownOption(definition.judgesWords === true)
    .allowExcessArguments(definition.judgesWords === true);
  for (const argument of args) command.addArgument(argumentOf(argument));
  for (const option of options) command.addOption(optionOf(option));
  for (const child of commands) addCommand(command, child, call);
  if (definition.load === undefined) return;
  command.action(() => {
    call({ command: definition, args: command.args, options: namedOptions(definition, command) });
  });
}

/** Every option of commands and those below them that can stand without a value. */
function presets(commands: readonly CommandDefinition[]): [option: string, preset: string][] {
  return commands.flatMap((command) => [
    ...(command.options ?? []).flatMap(({ name, value }): [string, string][] =>
      value?.preset === undefined ? [] : [[`--${name}`, value.preset]],
    ),
    ...presets(command.commands ?? []),
  ]);
}

/** Writes out what `--fix` alone means, so that the word after it is a path and not its value. */
function withPresets(argv: readonly string[], commands: readonly CommandDefinition[]): string[] {
  const known = new Map(presets(commands));
  const end = argv.indexOf("--");
  return argv.map((word, at) => ((end === -1 || at < end) && known.has(word) ? `${word}=${known.get(word)}` : word));
}

const DESCRIPTION =
  "Validate, explain, render and scaffold QM deployments for docker, fly and aws, with boxd as a sandbox backend.";

const EXAMPLES: CommandDefinition["examples"] = [
  ["qm-deploy check", "judge the deployment in this directory"],
  ["qm-deploy check --format github deployments/", "judge every deployment below a directory, in CI"],
  ["qm-deploy secrets", "which secrets it needs, why, and where they go"],
];

const STATUSES =
  "\nExit status: 0 passed, 1 problems found, 2 wrong command line or unreadable input, 70 a fault of qm-deploy, 130 interrupted.\n";

/** A wrong command line, and what commander says of it: with words of the user in it, to be shown by `argument-error.ts` alone. */
export interface RefusedCommandLine {
  readonly refused: string;
}

/** Parses a command line. Help and the version are printed here: an exit status comes back then. */
export function parseCommandLine(
  io: ProcessIo,
  commands: readonly CommandDefinition[],
  version: string,
): Invocation | RefusedCommandLine | number {
  let called: Invocation | null = null;
  let refused = "";
  const program = new Command("qm-deploy")
    .description(DESCRIPTION)
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help for a command")
    .showHelpAfterError("(run with --help for what is possible)")
    // An option of `secrets` after `secrets check` is one of `secrets check`.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      // Help, which is ours alone.
      writeOut: (text) => void io.stdout.write(ours(text)),
      // What follows an error belongs to it.
      writeErr: (text) => (refused === "" ? void io.stderr.write(ours(text)) : (refused += text)),
      outputError: (text) => (refused += text),
      getOutHelpWidth: () => io.stdout.columns || 100,
      getErrHelpWidth: () => io.stderr.columns || 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText("after", examplesText(EXAMPLES) + STATUSES);
  // Where the command comes first, as it nearly always does, the others need not be told to commander.
  const named = commands.filter(({ name }) => name === io.argv[0]);
  for (const definition of named.length > 0 ? named : commands)
    addCommand(program, definition, (call) => (called = { io, commands, ...call }));
  try {
    program.parse(withPresets(io.argv, commands), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? PASSED : { refused };
  }
  return called ?? USAGE;
}
