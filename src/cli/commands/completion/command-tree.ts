import type { ArgumentDefinition, CommandDefinition, OptionDefinition, OptionValue } from "../../command-definition.ts";

/** One place of the command tree as completion scripts need it. */
export interface CommandNode {
  /** Words that lead there, without the program's name: `["secrets", "check"]`. */
  readonly words: readonly string[];
  readonly commands: readonly CommandDefinition[];
  readonly options: readonly OptionDefinition[];
  readonly args: readonly ArgumentDefinition[];
}

/** Options that every place has. */
const HELP: OptionDefinition = { name: "help", short: "h", description: "print help" };
const VERSION: OptionDefinition = { name: "version", short: "V", description: "print the version" };

/** The command tree as a flat list, the root first. */
export function commandNodes(roots: readonly CommandDefinition[]): CommandNode[] {
  return [{ words: [], commands: roots, options: [HELP, VERSION], args: [] }, ...nodesBelow(roots, [])];
}

function nodesBelow(definitions: readonly CommandDefinition[], above: readonly string[]): CommandNode[] {
  return definitions.flatMap(({ name, commands = [], options = [], args = [] }) => {
    const words = [...above, name];
    return [{ words, commands, options: [...options, HELP], args }, ...nodesBelow(commands, words)];
  });
}

/** The values that are offered for an option; undefined where nobody can know them. */
export function offeredValues(value: OptionValue): readonly string[] | undefined {
  return value.choices ?? value.suggests;
}
