import type { EnvEntry } from "../env-document.ts";
import { nextLine } from "../line.ts";

/** A replacement of `[start, end)`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies splices that do not overlap, given in the order of the text. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const splice of splices) {
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}

/** The line end that a text uses first, LF where it has none. */
export function lineEndOf(text: string): string {
  return /\r\n|\r|\n/.exec(text)?.[0] ?? "\n";
}

/** The comment behind an entry's value, or an empty string. */
export function commentOf(text: string, entry: EnvEntry): string {
  const range = entry.commentRange;
  return range === null ? "" : text.slice(range.start.offset, range.end.offset);
}

/** Takes the lines of an entry out; a comment behind its value stays, on a line of its own. */
export function removal(text: string, entry: EnvEntry): Splice {
  const { start, end } = entry.range;
  const comment = commentOf(text, entry);
  return { start: start.offset, end: comment === "" ? nextLine(text, end.offset) : end.offset, text: comment };
}
