import type { SourceRange } from "../diagnostics/range.ts";

/** How a value is written. */
export type QuoteStyle = "none" | "single" | "double" | "backtick";

/** One `NAME=value` of an env file, with the places of its tokens. */
export interface EnvEntry {
  readonly key: string;
  /** What the value means: quotes taken off, escapes and line ends resolved. Holds secrets; never print it. */
  readonly value: string;
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

/** Stable ids of what can be wrong with an env file. */
export type EnvProblemKind =
  | "blank-hides-value"
  | "control-character"
  | "duplicate-name"
  | "inline-comment"
  | "invalid-name"
  | "no-equals"
  | "text-after-quote"
  | "unterminated-quote";

/** Something wrong or doubtful in an env file. Quotes names, never values. */
export interface EnvProblem {
  readonly kind: EnvProblemKind;
  /** The name of the entry at fault; null where the line has none, or one that may be a piece of a secret. */
  readonly name: string | null;
  readonly message: string;
  readonly range: SourceRange;
}

/** What an env file says, in the order of the file. */
export interface EnvDocument {
  /** Every entry with a usable name, repeated names included. */
  readonly entries: readonly EnvEntry[];
  readonly problems: readonly EnvProblem[];
  /** The value of each name; the last entry of a name wins. */
  readonly values: ReadonlyMap<string, string>;
}
