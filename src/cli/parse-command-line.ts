import { Command, CommanderError, Option, Argument } from "commander";
import { looksRandom } from "../base/random-text.ts";
import { REDACTED, redactText } from "../base/redact.ts";
import type { ProcessIo } from "./process-io.ts";
import type { ArgumentDefinition, CommandDefinition, Invocation, OptionDefinition } from "./command-definition.ts";

/** What a command line asks for: a command, or nothing more than what was already printed. */
export type Parsed =
  | { readonly kind: "command"; readonly spec: CommandDefinition; readonly invocation: Invocation }
  | { readonly kind: "printed" }
  | { readonly kind: "wrong" };

function optionOf(spec: OptionDefinition): Option {
  const short = spec.short === undefined ? "" : `-${spec.short}, `;
  const { value } = spec;
  if (value === undefined) return new Option(`${short}--${spec.name}`, spec.says);
  // Commander would take the next word for the value of an option that can stand alone; see withBareValues.
  const shown = value.bare === undefined ? ` <${value.name}>` : ` [${value.name}]`;
  const option = new Option(`${short}--${spec.name}${shown}`, spec.says);
  return value.choices === undefined ? option : option.choices(value.choices);
}

function argumentOf(spec: ArgumentDefinition): Argument {
  const name = spec.many === true ? `${spec.name}...` : spec.name;
  const argument = new Argument(spec.required === true ? `<${name}>` : `[${name}]`, spec.says);
  return spec.choices === undefined ? argument : argument.choices(spec.choices);
}

function examplesText(spec: CommandDefinition): string {
  if (spec.examples === undefined) return "";
  const width = Math.max(...spec.examples.map(([command]) => command.length));
  const lines = spec.examples.map(([command, says]) => `  $ ${command.padEnd(width)}  # ${says}`);
  return `\nExamples:\n${lines.join("\n")}\n`;
}

/** Commander's options by their names on the command line, not by its camel-case keys. */
function namedOptions(spec: CommandDefinition, command: Command): Invocation["options"] {
  const named: { [name: string]: string | true | undefined } = {};
  for (const option of spec.options ?? []) {
    const key = new Option(`--${option.name}`).attributeName();
    named[option.name] = command.getOptionValue(key) as string | true | undefined;
  }
  return named;
}

function addCommand(parent: Command, spec: CommandDefinition, io: ProcessIo, chosen: (parsed: Parsed) => void): void {
  const command = parent
    .command(spec.name)
    .description(spec.about === undefined ? spec.says : `${spec.says}\n\n${spec.about}`)
    .summary(spec.says);
  for (const argument of spec.args ?? []) command.addArgument(argumentOf(argument));
  for (const option of spec.options ?? []) command.addOption(optionOf(option));
  command.addHelpText("after", examplesText(spec)).allowUnknownOption(spec.takesAnyWord === true);
  for (const child of spec.commands ?? []) addCommand(command, child, io, chosen);
  if (spec.load === undefined) return;
  command.action(() => {
    const args = command.processedArgs.flat().filter((arg): arg is string => typeof arg === "string");
    chosen({ kind: "command", spec, invocation: { io, args, options: namedOptions(spec, command) } });
  });
}

/** Every option of a command and those below it that can stand without a value. */
function bareOptions(specs: readonly CommandDefinition[]): Map<string, string> {
  const bare = new Map<string, string>();
  for (const spec of specs) {
    for (const { name, value } of spec.options ?? []) if (value?.bare !== undefined) bare.set(`--${name}`, value.bare);
    for (const [name, value] of bareOptions(spec.commands ?? [])) bare.set(name, value);
  }
  return bare;
}

/** Writes out what `--fix` alone means, so that the word after it is a path and not its value. */
function withBareValues(argv: readonly string[], specs: readonly CommandDefinition[]): string[] {
  const bare = bareOptions(specs);
  const end = argv.indexOf("--");
  return argv.map((word, at) => ((end === -1 || at < end) && bare.has(word) ? `${word}=${bare.get(word)}` : word));
}

const UNKNOWN_OPTION = "error: unknown option '";

/** Commander repeats a word that it takes for an unknown option. One that does not look like ours may be a value, and a value may be a secret. */
function withoutValues(message: string): string {
  const word = message.startsWith(UNKNOWN_OPTION)
    ? message.slice(UNKNOWN_OPTION.length, message.lastIndexOf("'"))
    : null;
  if (word === null) return message;
  const rest = message.slice(message.lastIndexOf("'") + 1);
  const name = /^(?:--[a-z]+(?:-[a-z]+)*|-[A-Za-z])(?=$|=)/.exec(word)?.[0];
  const said =
    name === undefined
      ? "error: a word begins with `-` and is no option; where it is a value, put `--` before it, and give a secret on stdin"
      : `${UNKNOWN_OPTION}${name}'`;
  return said + rest;
}

/** Commander repeats what it does not understand, which may be a secret in the wrong place. */
function withoutSecrets(message: string): string {
  return redactText(
    message.replace(/'[^']*'/g, (quoted) =>
      looksRandom(quoted.slice(1, -1).replace(/^-{1,2}/, "")) ? `'${REDACTED}'` : quoted,
    ),
  );
}

/** Parses a command line. Help, the version and what is wrong with it are printed here. */
export function parseCommandLine(io: ProcessIo, specs: readonly CommandDefinition[], version: string): Parsed {
  let parsed: Parsed = { kind: "wrong" };
  const program = new Command("qm-deploy")
    .description(
      "Validate, explain, render and scaffold QM deployments for docker, fly and aws, with boxd as a sandbox backend.",
    )
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help for a command")
    .showHelpAfterError("(run with --help for what is possible)")
    // An option of `secrets` after `secrets check` is one of `secrets check`.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: (text, write) => write(withoutSecrets(withoutValues(text))),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText(
      "after",
      examplesText({
        name: "",
        says: "",
        examples: [
          ["qm-deploy check", "judge the deployment in this directory"],
          ["qm-deploy check --format github deployments/", "judge every deployment below a directory, in CI"],
          ["qm-deploy secrets", "which secrets it needs, why, and where they go"],
        ],
      }) +
        "\nExit status: 0 passed, 1 problems found, 2 wrong command line or unreadable input, 70 a fault of qm-deploy, 130 interrupted.\n",
    );
  // Where the command comes first, as it nearly always does, the others need not be told to commander.
  const named = specs.filter(({ name }) => name === io.argv[0]);
  for (const spec of named.length > 0 ? named : specs) addCommand(program, spec, io, (choice) => (parsed = choice));
  try {
    program.parse(withBareValues(io.argv, specs), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { kind: error.exitCode === 0 ? "printed" : "wrong" };
  }
  return parsed;
}
