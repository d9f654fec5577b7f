import type { CommandDefinition, OptionDefinition } from "../../command-definition.ts";
import { singleQuoted } from "../../../base/shell-word.ts";
import { type CommandNode, commandNodes, offeredValues } from "./command-tree.ts";
import { offeredWords, takesFiles, wordsBySetting } from "./setting-offers.ts";

/** True in fish where the words of a place were typed, and none of its commands after them. */
function condition(place: CommandNode): string {
  const children = place.commands.map((command) => command.name);
  if (place.words.length === 0) return "__fish_use_subcommand";
  const seen = place.words.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
  return children.length === 0 ? seen : `${seen}; and not __fish_seen_subcommand_from ${children.join(" ")}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function optionLine(when: string, option: OptionDefinition): string {
  const short = option.short === undefined ? "" : ` -s ${option.short}`;
  const { value } = option;
  const offered = value === undefined ? undefined : offeredValues(value);
  const takes =
    value === undefined
      ? ""
      : offered !== undefined
        ? ` -x -a ${quoted(offered.join(" "))}`
        : value.completes === "file"
          ? " -r -F"
          : " -x";
  return `complete -c qm-deploy -n ${quoted(when)} -l ${option.name}${short}${takes} -d ${quoted(option.description)}`;
}

function argumentLine(when: string, words: readonly string[], description: string): string {
  return `complete -c qm-deploy -n ${quoted(when)} -f -a ${quoted(words.join(" "))} -d ${quoted(description)}`;
}

function placeLines(place: CommandNode): string[] {
  const when = condition(place);
  const lines = place.commands.map(
    (command) =>
      `complete -c qm-deploy -n ${quoted(when)} -f -a ${singleQuoted(command.name)} -d ${quoted(command.summary)}`,
  );
  for (const argument of place.args) {
    const words = offeredWords(argument);
    if (words.length > 0) lines.push(argumentLine(when, words, argument.description));
    if (argument.completes !== "setting-value") continue;
    for (const { fields, words: values } of wordsBySetting())
      lines.push(
        argumentLine(
          `${when}; and contains -- (commandline -opc)[-1] ${fields.join(" ")}`,
          values,
          argument.description,
        ),
      );
  }
  if (!place.args.some(takesFiles)) lines.push(`complete -c qm-deploy -n ${quoted(when)} -f`);
  return [...lines, ...place.options.map((option) => optionLine(when, option))];
}

/** A completion script for fish. */
export function fishCompletion(commands: readonly CommandDefinition[]): string {
  return `# fish completion for qm-deploy; made by \`qm-deploy completion fish\`\n${commandNodes(commands).flatMap(placeLines).join("\n")}\n`;
}
