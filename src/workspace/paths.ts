import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";

/** The one file that makes a directory a deployment. */
export const CONFIG_NAME = "qm.config.jsonc";

export const STDIN_NAME = "<stdin>";

/** Steps that resolving a path would take out: none, `.`, `..`, and a slash at the end. */
const UNRESOLVED = /\/\.{0,2}(?:\/|$)/;

/** A path as reports show it: relative to the working directory, `/` as separator, `.` for the directory itself. */
export function displayName(path: string, cwd: string): string {
  // What is plainly below, as most paths are, needs none of the work.
  if (sep === "/" && path.startsWith(`${cwd}/`) && !UNRESOLVED.test(path)) return path.slice(cwd.length + 1);
  const shown = relative(cwd, resolve(cwd, path));
  return shown === "" ? "." : withSlashes(shown);
}

export function withSlashes(path: string): string {
  return sep === "/" ? path : path.split(sep).join("/");
}

/** The path of an entry of a directory whose path is resolved: `join` would look at each of its characters. */
export function entryPath(directory: string, name: string): string {
  return directory.endsWith(sep) ? directory + name : directory + sep + name;
}

/** The name of something in a directory, as reports show it. */
export function displayJoin(directory: string, name: string): string {
  return directory === "." ? name : `${directory.replace(/\/$/, "")}/${name}`;
}

/** True when `path` is `directory` or below it; both absolute. Says nothing about links. */
export function isInside(path: string, directory: string): boolean {
  const between = relative(directory, path);
  return between === "" || (between !== ".." && !between.startsWith(`..${sep}`) && !isAbsolute(between));
}

/** A directory and those above it, nearest first, no further than the root of its repository. */
export function* directoriesUp(directory: string): Iterable<string> {
  yield directory;
  const above = dirname(directory);
  if (above !== directory && !isRepositoryRoot(directory)) yield* directoriesUp(above);
}

/** True for the directory that a repository of git begins with. */
export function isRepositoryRoot(directory: string): boolean {
  return existsSync(entryPath(directory, ".git"));
}

/** The root of the repository that a directory is in; null where it is in none. */
export function repositoryRoot(directory: string): string | null {
  return [...directoriesUp(directory)].find(isRepositoryRoot) ?? null;
}

/** A path once links are followed; null where it leads nowhere. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
