import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { readTextFile } from "../workspace/read-file.ts";
import type { Existing } from "./scaffold-file.ts";

/** Reads what stands in a deployment directory, which need not exist. */
export function existingFiles(directory: string): Existing {
  return (path) => {
    const full = join(directory, path);
    let stats: Stats | undefined;
    try {
      stats = lstatSync(full, { throwIfNoEntry: false });
    } catch {
      // A file stands where a directory is meant to be: nothing is kept, and writing says what is wrong.
      return null;
    }
    if (stats === undefined) return null;
    const isLink = stats.isSymbolicLink();
    const { file, problem } = readTextFile(full, path);
    if (problem === undefined) return { text: file.text, mode: file.mode, isLink, problem: null };
    const reason = isLink && problem.rule === "input/missing" ? "it is a link that leads nowhere" : problem.message;
    return { text: null, mode: null, isLink, problem: reason };
  };
}
