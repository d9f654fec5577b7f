import type { CommandDefinition, OptionDefinition } from "../../command-definition.ts";
import { singleQuoted } from "../../../base/shell-word.ts";
import { type CommandNode, commandNodes, offeredValues } from "./command-tree.ts";
import { offeredWords, takesFiles, wordsBySetting } from "./setting-offers.ts";

function optionWords(option: OptionDefinition): string[] {
  const long = option.value === undefined ? `--${option.name}` : `--${option.name}=`;
  return option.short === undefined ? [long] : [long, `-${option.short}`];
}

/** What a place offers, as `compgen` words, and whether files go too. */
function placeCase(place: CommandNode): string {
  const words = [
    ...place.commands.map((command) => command.name),
    ...place.args.flatMap(offeredWords),
    ...place.options.flatMap(optionWords),
  ];
  const files = place.args.some(takesFiles) ? "yes" : "no";
  return `    ${singleQuoted(place.words.join(" "))}) words=${singleQuoted(words.join(" "))}; files=${files} ;;`;
}

function valueCases(places: readonly CommandNode[]): string[] {
  const cases = new Map<string, string>();
  for (const { options } of places) {
    for (const { name, value } of options) {
      const offered = value === undefined ? undefined : offeredValues(value);
      if (offered === undefined) continue;
      const known = cases.get(name)?.split(" ") ?? [];
      cases.set(name, [...new Set([...known, ...offered])].join(" "));
    }
  }
  return [...cases].map(([name, choices]) => `    --${name}) words=${singleQuoted(choices)} ;;`);
}

/** Options whose value is the word behind them, wherever they stand. */
function wordTaking(places: readonly CommandNode[]): string[] {
  const options = places.flatMap((place) => place.options);
  const isWord = (option: OptionDefinition): boolean => option.value !== undefined && option.value.preset === undefined;
  const others = new Set(options.filter((option) => !isWord(option)).map(({ name }) => name));
  return [
    ...new Set(options.filter((option) => isWord(option) && !others.has(option.name)).map(({ name }) => `--${name}`)),
  ];
}

/** The words of the setting that was typed before, where a place takes its value. */
function settingCases(places: readonly CommandNode[]): string[] {
  const takers = places.filter(({ args }) => args.some(({ completes }) => completes === "setting-value"));
  return takers.flatMap((place) =>
    wordsBySetting().map(({ fields, words }) => {
      const patterns = fields.map((field) => singleQuoted([...place.words, field].join(" ")));
      return `  ${patterns.join("|")}) words=${singleQuoted(words.join(" "))} ;;`;
    }),
  );
}

/** A completion script for bash 3.2 or newer, with or without bash-completion. */
export function bashCompletion(commands: readonly CommandDefinition[]): string {
  const places = commandNodes(commands);
  const paths = places.map((place) => place.words.join(" ")).filter((path) => path !== "");
  return `# bash completion for qm-deploy; made by \`qm-deploy completion bash\`
_qm_deploy() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} place='' words='' files=no option='' i word
  COMPREPLY=()
  # "=" is a word of its own in COMP_WORDS.
  if [[ $cur == = ]]; then option=$prev; cur=''
  elif [[ $prev == = ]]; then option=\${COMP_WORDS[COMP_CWORD-2]}
  else
    case $prev in
    ${wordTaking(places).join("|")}) option=$prev ;;
    esac
  fi
  if [[ $option == --* ]]; then
    case $option in
${valueCases(places).join("\n")}
    *) COMPREPLY=( $(compgen -f -- "$cur") ); return ;;
    esac
    COMPREPLY=( $(compgen -W "$words" -- "$cur") )
    return
  fi
  for (( i = 1; i < COMP_CWORD; i++ )); do
    word=\${COMP_WORDS[i]}
    case "\${place:+$place }$word" in
    ${paths.map(singleQuoted).join("|")}) place="\${place:+$place }$word" ;;
    esac
  done
  case $place in
${places.map(placeCase).join("\n")}
  esac
  case "$place $prev" in
${settingCases(places).join("\n")}
  esac
  COMPREPLY=( $(compgen -W "$words" -- "$cur") )
  [[ $files == yes && $cur != -* ]] && COMPREPLY+=( $(compgen -f -- "$cur") )
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
  return 0
}
complete -o filenames -F _qm_deploy qm-deploy
`;
}
