import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const GIT = spawnSync("git", ["--version"]).status === 0;

/** The text of a file below a directory. */
export function textOf(directory: string, path: string): string {
  return readFileSync(join(directory, path), "utf8");
}

/** Every path below a directory, sorted. */
export function everything(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" }).toSorted();
}
