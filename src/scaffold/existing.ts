import { lstatSync } from "node:fs";
import { readTextFile } from "../workspace/text-file.ts";
import { pathIn } from "./overlay.ts";
import type { Existing } from "./planned-file.ts";

/** Reads what stands in a deployment directory, which need not exist. */
export function existingIn(directory: string): Existing {
  return (path) => {
    const full = pathIn(directory, path);
    let isThere: boolean;
    try {
      isThere = lstatSync(full, { throwIfNoEntry: false }) !== undefined;
    } catch {
      // A file stands where a directory is meant to be: nothing is kept, and writing says what is wrong.
      return null;
    }
    return isThere ? { text: readTextFile(full, path).file?.text ?? null } : null;
  };
}
