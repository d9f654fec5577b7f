import {
  HighlightStyle,
  type LanguageSupport,
  StreamLanguage,
  type StreamParser,
  syntaxHighlighting,
} from "@codemirror/language";
import { json } from "@codemirror/legacy-modes/mode/javascript";
import { properties } from "@codemirror/legacy-modes/mode/properties";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { yaml } from "@codemirror/legacy-modes/mode/yaml";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";

/** How files are coloured, by the end of their name. Terraform's variables are near enough to TOML. */
const MODES: readonly (readonly [RegExp, StreamParser<unknown>])[] = [
  [/\.jsonc?$/, { ...json, tokenTable: { property: tags.propertyName } }],
  // Its atoms are keys.
  [/\.ya?ml$/, { ...yaml, tokenTable: { atom: tags.propertyName } }],
  [/\.(?:toml|tfvars)$/, toml],
  [/\.env$|\.example$|\.gitignore$/, properties],
];

const COLOURS = HighlightStyle.define([
  { tag: tags.string, color: "var(--syntax-string)" },
  { tag: [tags.number, tags.bool, tags.atom, tags.null], color: "var(--syntax-number)" },
  { tag: [tags.keyword, tags.heading, tags.definition(tags.variableName)], color: "var(--syntax-key)" },
  // A key of JSON is a string as well: what stands later counts.
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--syntax-key)" },
  { tag: [tags.comment, tags.meta], color: "var(--syntax-comment)" },
]);

/** What colours a file of this name. */
export function languageOf(name: string): Extension {
  const mode = MODES.find(([ending]) => ending.test(name))?.[1];
  const language: LanguageSupport | StreamLanguage<unknown> | null =
    mode === undefined ? null : StreamLanguage.define(mode);
  return [syntaxHighlighting(COLOURS), ...(language === null ? [] : [language])];
}
