import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { WriteRefused } from "./write-file.ts";

/** A file as it lies there. */
export interface RenderedFile {
  readonly text: string;
  /** Permission bits. */
  readonly mode: number;
}

/** The directories from below `root` down to `directory`, outermost first; both absolute. */
function between(root: string, directory: string): string[] {
  const parts = relative(root, directory)
    .split(sep)
    .filter((name) => name !== "");
  return parts.map((_, at) => join(root, ...parts.slice(0, at + 1)));
}

/** True when the directory is there. Nothing from `root` down to it may be a link. */
function isDirectory(root: string, directory: string): boolean {
  for (const path of between(root, directory)) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    if (!stats.isDirectory())
      throw new WriteRefused(`\`${path}\` is ${stats.isSymbolicLink() ? "a symbolic link" : "no directory"}`);
  }
  return true;
}

/** Makes the directories from below `root` down to `directory`, as {@link isDirectory} wants them. */
export function makeDirectory(root: string, directory: string): void {
  for (const path of between(root, directory)) {
    if (!isDirectory(root, path)) mkdirSync(path);
  }
}

/**
 * Reads a file below a directory; null when there is none.
 *
 * @throws {WriteRefused} where a link or something that is no regular file stands in the way
 */
export function readRenderedFile(root: string, path: string): RenderedFile | null {
  if (!isDirectory(root, join(path, ".."))) return null;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isFile())
    throw new WriteRefused(`\`${path}\` is ${stats.isSymbolicLink() ? "a symbolic link" : "no regular file"}`);
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    return { text: readFileSync(descriptor, "utf8"), mode: fstatSync(descriptor).mode & 0o777 };
  } finally {
    closeSync(descriptor);
  }
}
