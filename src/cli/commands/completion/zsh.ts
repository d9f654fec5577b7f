import type { ArgumentDefinition, CommandDefinition, OptionDefinition } from "../../command-definition.ts";
import { singleQuoted } from "../../../base/shell-word.ts";
import { type CommandNode, commandNodes, offeredValues } from "./command-tree.ts";
import { offeredWords, takesFiles, wordsBySetting } from "./setting-offers.ts";

/** Offers the words of the setting that was typed before. */
const SETTING_VALUE = "_qm_deploy_setting_value";

/** Text of an `_arguments` spec: brackets and colons have a meaning there. */
function escaped(text: string): string {
  return text.replace(/[\\[\]:]/g, "\\$&");
}

function optionSpec(option: OptionDefinition): string[] {
  const { value } = option;
  const says = `[${escaped(option.description)}]`;
  if (value === undefined) {
    const short = option.short === undefined ? [] : [singleQuoted(`-${option.short}${says}`)];
    return [singleQuoted(`--${option.name}${says}`), ...short];
  }
  const offered = offeredValues(value);
  const action = offered !== undefined ? `(${offered.join(" ")})` : value.completes === "file" ? "_files" : " ";
  const equals = value.preset === undefined ? "=" : "=-";
  const optional = value.preset === undefined ? ":" : "::";
  return [singleQuoted(`--${option.name}${equals}${says}${optional}${escaped(value.name)}:${action}`)];
}

function argumentSpec(argument: ArgumentDefinition): string {
  const words = offeredWords(argument);
  const action =
    argument.completes === "setting-value"
      ? SETTING_VALUE
      : words.length > 0
        ? `(${words.join(" ")})`
        : takesFiles(argument)
          ? "_files"
          : " ";
  return singleQuoted(`${argument.many === true ? "*" : ""}:${escaped(argument.name)}:${action}`);
}

function functionName(words: readonly string[]): string {
  return ["_qm_deploy", ...words].join("_").replaceAll("-", "_");
}

function placeFunction(place: CommandNode): string {
  const options = place.options.flatMap(optionSpec);
  if (place.commands.length === 0) {
    const specs = [...options, ...place.args.map(argumentSpec)];
    return `${functionName(place.words)}() {\n  _arguments -s ${specs.join(" \\\n    ")}\n}`;
  }
  const described = place.commands.map((command) => singleQuoted(`${command.name}:${escaped(command.summary)}`));
  const branches = place.commands.map(
    (command) => `      ${command.name}) ${functionName([...place.words, command.name])} ;;`,
  );
  const files = place.args.some(takesFiles) ? "; _files" : "";
  return `${functionName(place.words)}() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C ${options.join(" \\\n    ")} '1:command:->command' '*::argument:->argument'
  case $state in
    command)
      local -a commands=(${described.join(" ")})
      _describe command commands${files} ;;
    argument)
      case $line[1] in
${branches.join("\n")}
      esac ;;
  esac
}`;
}

function settingFunction(): string {
  const cases = wordsBySetting().map(
    ({ fields, words }) => `    ${fields.join("|")}) compadd -- ${words.join(" ")} ;;`,
  );
  return `${SETTING_VALUE}() {\n  case $words[CURRENT-1] in\n${cases.join("\n")}\n    *) _message value ;;\n  esac\n}`;
}

/** A completion script for zsh, to be sourced after compinit or put on fpath as `_qm-deploy`. */
export function zshCompletion(commands: readonly CommandDefinition[]): string {
  const functions = commandNodes(commands).map(placeFunction);
  return `#compdef qm-deploy
# zsh completion for qm-deploy; made by \`qm-deploy completion zsh\`
${[settingFunction(), ...functions].join("\n")}
if [ "$funcstack[1]" = "_qm-deploy" ]; then
  _qm_deploy "$@"
else
  compdef _qm_deploy qm-deploy
fi
`;
}
