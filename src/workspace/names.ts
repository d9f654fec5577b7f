import { isAbsolute, relative, resolve, sep } from "node:path";

/** The one file that makes a directory a deployment. */
export const CONFIG_NAME = "qm.config.jsonc";

/** How reports name stdin. */
export const STDIN_NAME = "<stdin>";

/** A path as reports show it: relative to the working directory, `/` as separator, `.` for the directory itself. */
export function displayName(path: string, cwd: string): string {
  const shown = relative(cwd, resolve(cwd, path));
  return shown === "" ? "." : sep === "/" ? shown : shown.split(sep).join("/");
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
