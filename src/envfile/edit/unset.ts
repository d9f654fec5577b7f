import { readEnvFile } from "../read.ts";
import type { EnvRefusal } from "../write/refusal.ts";
import { removal, spliced } from "./splice.ts";
import { EditCheck } from "./verify.ts";

/** A text without an entry and how many entries of that name it had, or why it was refused. */
export type UnsetResult =
  | { readonly ok: true; readonly text: string; readonly removed: number }
  | { readonly ok: false; readonly refusal: EnvRefusal };

/**
 * Removes every entry of a name (`export` and values of several lines included); comments and all other bytes stay.
 * Refused where another entry would change its value, as one with an unclosed quote above the removed lines may.
 */
export function unsetEnvValue(text: string, name: string): UnsetResult {
  const entries = readEnvFile(text).entries.filter((entry) => entry.key === name);
  const edited = spliced(
    text,
    entries.map((entry) => removal(text, entry)),
  );
  const failure = new EditCheck(text, name, ["qm-deploy"]).failure(edited, undefined);
  if (failure === null) return { ok: true, text: edited, removed: entries.length };
  const reason = `\`${name}\` cannot be removed from this file: ${failure.reason}`;
  return { ok: false, refusal: { name, reader: failure.reader, character: null, reason } };
}
