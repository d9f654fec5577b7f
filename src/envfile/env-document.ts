import type { SourceRange } from "../diagnostics/source.ts";

/** Bytes of a value, far above every key and certificate, and what no environment carries anyway. */
export const MAX_VALUE_BYTES = 128 * 1024;

/** How a value is written. */
export type QuoteStyle = "none" | "single" | "double" | "backtick";

/** One `NAME=value` of an env file, with the places of its tokens. */
export interface EnvEntry {
  readonly key: string;
  /** What the value means: quotes taken off, escapes and line ends resolved. Holds secrets; never print it. */
  readonly value: string;
  /** What the file holds, where `value` was read by a tool that it is for. */
  readonly reference?: string;
  readonly keyRange: SourceRange;
  /** The value as written, quotes included and an inline comment excluded; empty where nothing is written. */
  readonly valueRange: SourceRange;
  /** The comment behind the value, `#` included; null where there is none. */
  readonly commentRange: SourceRange | null;
  readonly quote: QuoteStyle;
  readonly exported: boolean;
  /** The lines that the entry stands on, first to last, without the line end of the last. */
  readonly range: SourceRange;
}

/** What can be wrong with an env file, by a stable id, and what is said of the entry `name`. Never a value. */
const PROBLEM_MESSAGES = {
  "blank-hides-value": (name: string) => `the blank value of ${name} hides the one that an earlier line gives it`,
  "control-character": (name: string) =>
    `the entry of ${name} holds a control character, which few readers and no terminal carry unharmed`,
  "duplicate-name": (name: string) => `${name} stands more than once, and the last line wins`,
  "inline-comment": (name: string) =>
    `the value of ${name} ends before the comment on its line, but qm's own reader takes the comment for a part of it`,
  "invalid-name": (name: string) =>
    `${name} is not the name of an environment variable, so readers drop the line or give up`,
  "invisible-character": (name: string, what: string) =>
    `the value of ${name} holds ${what}, which most readers hand on and no key has`,
  "no-equals": () => "this line has no `=` and sets nothing",
  "text-after-quote": (name: string) => `text behind the closing quote of ${name} is no part of its value`,
  "unterminated-quote": (name: string) => `the quote that opens the value of ${name} is never closed`,
};

export type EnvProblemKind = keyof typeof PROBLEM_MESSAGES;

/** Something wrong or doubtful in an env file. Quotes names, never values. */
export interface EnvProblem {
  readonly kind: EnvProblemKind;
  /** The name of the entry at fault; null where the line has none, or one that may be a piece of a secret. */
  readonly name: string | null;
  readonly message: string;
  readonly range: SourceRange;
  /** The name of the entry above that has it too; none where the problem is another one. */
  readonly earlier?: SourceRange;
}

/** A problem of one kind about the entry `name`; `what` completes the messages that say what was found. */
export function envProblem(kind: EnvProblemKind, name: string | null, range: SourceRange, what = ""): EnvProblem {
  const shown = name === null ? "what stands before this `=`" : `\`${name}\``;
  return { kind, name, message: PROBLEM_MESSAGES[kind](shown, what), range };
}

/** What an env file says, in the order of the file. */
export interface EnvDocument {
  /** Every entry with a usable name, repeated names included. */
  readonly entries: readonly EnvEntry[];
  readonly problems: readonly EnvProblem[];
  /** The value of each name; the last entry of a name wins. */
  readonly values: ReadonlyMap<string, string>;
}

/** A value as programs print it: one line break at its end is none of it. */
export function withoutFinalBreak(printed: string): string {
  return printed.replace(/(?:\r\n|\n|\r)$/, "");
}

/** True for a name that every shell, container engine and reader takes for an environment variable. */
export function isEnvName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}
