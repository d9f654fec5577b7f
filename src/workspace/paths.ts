import { existsSync, realpathSync, statSync } from "node:fs";
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

/**
 * A message of the system or of git, with absolute paths in quotes at or below a directory as they are read from there. Names of temporary
 * directories look random, and a report would hide the path with the name.
 */
export function withShortPaths(message: string, directory: string): string {
  return message.replaceAll(/(?<=[`'"])\/[^`'"]*(?=[`'"])/g, (path) =>
    isInside(path, directory) ? displayName(path, directory) : path,
  );
}

/** True when `path` is `directory` or below it; both absolute. Says nothing about links. */
export function isInside(path: string, directory: string): boolean {
  const between = relative(directory, path);
  return between === "" || (between !== ".." && !between.startsWith(`..${sep}`) && !isAbsolute(between));
}

/**
 * A directory and those above it, nearest first, no further than the root of its repository, and none that is there for
 * everybody's files: what somebody puts into /tmp is not said of what is below.
 */
export function* directoriesUp(directory: string): Iterable<string> {
  yield directory;
  const above = directoryAbove(directory);
  if (above !== null) yield* directoriesUp(above);
}

/** The next of {@link directoriesUp}; null where it ends. */
export function directoryAbove(directory: string): string | null {
  const above = dirname(directory);
  return above === directory || isRepositoryRoot(directory) || isShared(above) ? null : above;
}

function isShared(directory: string): boolean {
  // Writable for all and sticky, as /tmp is. Some file systems call everything writable.
  const bits = 0o1002;
  try {
    return (statSync(directory).mode & bits) === bits;
  } catch {
    return false;
  }
}

/** True for the directory that a repository of git begins with. */
function isRepositoryRoot(directory: string): boolean {
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
