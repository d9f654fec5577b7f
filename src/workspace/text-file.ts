import type { Diagnostic } from "../diagnostics/diagnostic.ts";

/** A text file as read. */
export interface TextFile {
  /** The name that reports show. */
  readonly file: string;
  readonly text: string;
  readonly mode: number | null;
}

export type ReadOutcome =
  { readonly file: TextFile; readonly problem?: never } | { readonly file?: never; readonly problem: Diagnostic };
