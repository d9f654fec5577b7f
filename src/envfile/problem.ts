import type { SourceRange } from "../diagnostics/range.ts";
import type { EnvProblem, EnvProblemKind } from "./entry.ts";

/** What each kind says about the entry `name` (null: the line has no name fit to print). Never a value. */
const MESSAGES: { readonly [kind in EnvProblemKind]: (name: string | null) => string } = {
  "blank-hides-value": (name) => `the blank \`${name}\` hides the value that an earlier line gives it`,
  "control-character": (name) => `${name === null ? "a line" : `\`${name}\``} holds a control character, which no environment or reader carries unharmed`,
  "duplicate-name": (name) => `\`${name}\` stands more than once; the last line wins`,
  "inline-comment": (name) => `the value of \`${name}\` ends before the comment on its line, but qm's own reader takes the comment for a part of it`,
  "invalid-name": (name) => `${name === null ? "the name on this line" : `\`${name}\``} is not the name of an environment variable, and readers drop the line`,
  "no-equals": () => "this line has no `=` and sets nothing",
  "text-after-quote": (name) => `text behind the closing quote of ${name === null ? "a value" : `\`${name}\``} is no part of it`,
  "unterminated-quote": (name) => `the quote that opens the value of ${name === null ? "a line" : `\`${name}\``} is never closed`,
};

/** A problem of one kind about the entry `name`. */
export function envProblem(kind: EnvProblemKind, name: string | null, range: SourceRange): EnvProblem {
  return { kind, name, message: MESSAGES[kind](name), range };
}
