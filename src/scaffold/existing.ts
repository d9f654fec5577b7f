import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readTextFile } from "../workspace/text-file.ts";
import type { Existing } from "./planned-file.ts";

/** Reads what stands in a deployment directory, which need not exist. */
export function existingIn(directory: string): Existing {
  return (path) => {
    const full = join(directory, path);
    let isThere: boolean;
    try {
      isThere = lstatSync(full, { throwIfNoEntry: false }) !== undefined;
    } catch {
      // A file stands where a directory is meant to be: nothing is kept, and writing says what is wrong.
      return null;
    }
    if (!isThere) return null;
    const { file } = readTextFile(full, path);
    return { text: file?.text ?? null, mode: file?.mode ?? null };
  };
}
