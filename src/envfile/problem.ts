import type { SourceRange } from "../diagnostics/range.ts";
import type { EnvProblem, EnvProblemKind } from "./env-document.ts";

/** What each kind says about an entry. Never a value. */
const MESSAGES: { readonly [kind in EnvProblemKind]: (name: string) => string } = {
  "blank-hides-value": (name) => `the blank value of ${name} hides the one that an earlier line gives it`,
  "control-character": (name) =>
    `the entry of ${name} holds a control character, which few readers and no terminal carry unharmed`,
  "duplicate-name": (name) => `${name} stands more than once, and the last line wins`,
  "inline-comment": (name) =>
    `the value of ${name} ends before the comment on its line, but qm's own reader takes the comment for a part of it`,
  "invalid-name": (name) => `${name} is not the name of an environment variable, so readers drop the line or give up`,
  "no-equals": () => "this line has no `=` and sets nothing",
  "text-after-quote": (name) => `text behind the closing quote of ${name} is no part of its value`,
  "unterminated-quote": (name) => `the quote that opens the value of ${name} is never closed`,
};

/** A problem of one kind about the entry `name`. */
export function envProblem(kind: EnvProblemKind, name: string | null, range: SourceRange): EnvProblem {
  return { kind, name, message: MESSAGES[kind](name === null ? "what stands before this `=`" : `\`${name}\``), range };
}
