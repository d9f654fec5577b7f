import { COMMANDS } from "../../src/cli/commands/index.ts";
import type { ArgumentDefinition, CommandDefinition, OptionDefinition } from "../../src/cli/command-definition.ts";

const HEAD = `<!-- Generated from src/cli/commands/ by \`npm run generate\`; do not edit. -->
# Commands

What \`qm-deploy <command> --help\` prints, on one page. What \`--format json\` prints is in [json.md](json.md).

## What all commands have in common

**Which deployment.** Without a path, a command uses the deployment in the working directory, else the nearest one above it,
up to the root of the repository, and says which. \`check\`, \`render\`, \`status\` and \`secrets check\` also take directories: then every
deployment in and below one counts, and without a path those below the working directory come before the one above it. Links to
directories are followed. What \`render\` wrote never counts as a deployment.

**Which release of qm.** The pin of \`@yc-software/qm\` in the deployment's package.json decides, else the pin in the nearest
package.json above it in the repository. Without a pin it is the newest release that qm-deploy knows, and \`check\` says so.
\`--release\` overrides all of these. \`diff\` takes one for each side (\`--from-release\`, \`--to-release\`).

**Which values.** Values of secrets come from the \`.env\` beside the config, or from \`--env-file\`; never from the environment. Where
there is no \`.env\`, as in CI, \`check\` lists the secrets that the target's store must have, and passes.

**\`--env-file\` and Node.** Node itself opens the file that \`--env-file\` names before qm-deploy runs: a file that does not
exist ends with Node's own message and status 9, and a pipe has been emptied. The short form \`-e\` avoids this:
\`qm-deploy check -e <(doppler secrets download --no-file --format env)\`.

**What rendered files depend on.** On the deployment directory alone: not on the working directory, the time or the locale. No
value of \`.env\` shapes a file that is committed, but whether a name is there can: DATABASE_URL on docker, optional secrets on aws.
\`manifest.json\` records such names, so that \`render --check\` agrees where there is no \`.env\`. Line ends of a checkout (CRLF)
make no difference.

**Exit status.** Over many deployments, the highest wins.

| status | meaning |
|---|---|
| 0 | passed |
| 1 | problems found, drift, or a refused render or publish |
| 2 | a wrong command line, an input that cannot be read, or \`@boxd-sh/sdk\` missing where it is needed |
| 70 | a fault of qm-deploy itself |
| 129, 130, 143 | ended by a hang-up, Ctrl-C or the system before there was a result |`;

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Text of help as Markdown: `<name>` outside of code would be taken for markup, and a bar ends a cell of a table. */
function markdown(text: string): string {
  const pieces = text.replaceAll("|", "\\|").split("`");
  return pieces.map((piece, at) => (at % 2 === 0 ? piece.replaceAll("<", "&lt;") : piece)).join("`");
}

function argumentWord({ name, required, many }: ArgumentDefinition): string {
  const word = many === true ? `${name}…` : name;
  return required === true ? `<${word}>` : `[${word}]`;
}

function optionWord({ name, short, value }: OptionDefinition): string {
  const taken = value?.preset === undefined ? ` <${value?.name}>` : `[=<${value.name}>]`;
  const long = `\`--${name}${value === undefined ? "" : taken}\``;
  return short === undefined ? long : `\`-${short}\`, ${long}`;
}

function choices(words: readonly string[] | undefined): string {
  return words === undefined ? "" : `: ${words.map((word) => `\`${word}\``).join(", ")}`;
}

function tableOf({ args = [], options = [] }: CommandDefinition): string[] {
  const rows = [
    ...args.map((argument) => [`\`${argumentWord(argument)}\``, argument.description + choices(argument.choices)]),
    ...options.map((option) => [optionWord(option), option.description + choices(option.value?.choices)]),
  ];
  return rows.length === 0
    ? []
    : [
        "| argument or option | |",
        "|---|---|",
        ...rows.map(([word, text = ""]) => `| ${word} | ${markdown(text)} |`),
        "",
      ];
}

function sections(command: CommandDefinition, above = "qm-deploy"): string[] {
  const { name, summary, description, args = [], options = [], examples = [], commands = [], load } = command;
  const full = `${above} ${name}`;
  const usage = [full, ...(options.length === 0 ? [] : ["[options]"]), ...args.map(argumentWord)].join(" ");
  return [
    `${above === "qm-deploy" ? "##" : "###"} ${full.replace("qm-deploy ", "")}`,
    "",
    sentence(markdown(summary)),
    "",
    ...(load === undefined ? [] : [`    ${usage}`, ""]),
    ...(description === undefined ? [] : [markdown(description), ""]),
    ...tableOf(command),
    ...(examples.length === 0
      ? []
      : ["```sh", ...examples.flatMap(([line, purpose]) => [`# ${purpose}`, line]), "```", ""]),
    ...commands.flatMap((child) => sections(child, full)),
  ];
}

/** The page `docs/commands.md`: every command with its arguments, options and examples. */
export function commandsPage(): string {
  return `${[HEAD, "", ...COMMANDS.flatMap((command) => sections(command))].join("\n").trimEnd()}\n`;
}
