/** What a reader makes of a text: its values, or the line (1-based) at which it gives up and why. Reasons quote no value. */
export type ReadResult =
  | { readonly ok: true; readonly values: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly line: number; readonly reason: string };

/** A whole reader. Pure, never throws. */
export type Reader = (text: string) => ReadResult;

/** A result that gives up at the line on which `offset` stands. */
export function givesUp(text: string, offset: number, reason: string): ReadResult {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return { ok: false, line, reason };
}
