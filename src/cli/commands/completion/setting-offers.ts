import { settingField, settingWords, vocabulary } from "../../../catalog/vocabulary.ts";
import type { ArgumentDefinition } from "../../command-definition.ts";

/** Fields of `env` that take the same words. */
export interface SettingWords {
  readonly fields: readonly string[];
  readonly words: readonly string[];
}

/** The words that a shell offers for an argument, whatever stands before it; none where nobody can know them. */
export function offeredWords({ choices, suggests, completes }: ArgumentDefinition): readonly string[] {
  const words = choices ?? suggests;
  if (words !== undefined) return words;
  return completes === "setting" ? [...new Set(vocabulary().map(settingField))] : [];
}

/** True for an argument that files can be. */
export function takesFiles({ completes }: ArgumentDefinition): boolean {
  return completes === "file" || completes === "directory";
}

/** The words of settings that take words alone, by the fields that take the same. */
export function wordsBySetting(): readonly SettingWords[] {
  const groups = new Map<string, string[]>();
  for (const entry of vocabulary()) {
    const words = settingWords(entry).join(" ");
    if (words !== "") groups.set(words, [...(groups.get(words) ?? []), settingField(entry)]);
  }
  return [...groups].map(([words, fields]) => ({ fields, words: words.split(" ") }));
}
