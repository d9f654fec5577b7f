import type { ArgumentDefinition, CommandDefinition, OptionDefinition, OptionValue } from "../../command-definition.ts";

/** One place of the command tree as completion scripts need it. */
export interface CommandNode {
  /** Words that lead there, without the program's name: `["secrets", "check"]`. */
  readonly words: readonly string[];
  readonly says: string;
  readonly commands: readonly CommandDefinition[];
  readonly options: readonly OptionDefinition[];
  readonly args: readonly ArgumentDefinition[];
}

/** Options that every place has. */
const HELP: OptionDefinition = { name: "help", short: "h", says: "print help" };
const VERSION: OptionDefinition = { name: "version", short: "V", says: "print the version" };

/** The command tree as a flat list, the root first. */
export function commandNodes(specs: readonly CommandDefinition[]): CommandNode[] {
  const places: CommandNode[] = [{ words: [], says: "", commands: specs, options: [HELP, VERSION], args: [] }];
  const walk = (spec: CommandDefinition, above: readonly string[]): void => {
    const words = [...above, spec.name];
    const { says, commands = [], options = [], args = [] } = spec;
    places.push({ words, says, commands, options: [...options, HELP], args });
    for (const child of commands) walk(child, words);
  };
  for (const spec of specs) walk(spec, []);
  return places;
}

/** The values that are offered for an option; undefined where nobody can know them. */
export function offeredValues(value: OptionValue): readonly string[] | undefined {
  return value.choices ?? value.suggests;
}

/** Text inside single quotes of a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
