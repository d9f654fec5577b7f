import { readEnvFile } from "../read.ts";
import { removal, spliced } from "./splice.ts";

/** A text without an entry, and how many entries of that name it had. */
export interface UnsetResult {
  readonly text: string;
  readonly removed: number;
}

/** Removes every entry of a name (`export` and values of several lines included); comments and all other bytes stay. */
export function unsetEnvValue(text: string, name: string): UnsetResult {
  const entries = readEnvFile(text).entries.filter((entry) => entry.key === name);
  return { text: spliced(text, entries.map((entry) => removal(text, entry))), removed: entries.length };
}
