/** Home directory of the machine user. */
export const HOME = "/home/boxd";
/** Directory of the workspace below it. */
export const WORKSPACE = "workspace";

/**
 * `path` below `root`; leading slashes and `.` segments do not count, an empty path is `root`. Throws for `..` and NUL: what an agent
 * names must stay inside.
 */
export function inside(root: string, path: string): string {
  const clean = relative(path);
  return clean === "" ? root : `${root.replace(/\/+$/, "")}/${clean}`;
}

/** The same without the root: segments joined by single slashes, or `""`. */
export function relative(path: string): string {
  if (path.includes("\0")) throw new Error("a path must not contain a NUL character");
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) throw new Error(`"${path}" must stay inside the workspace, without ".." segments`);
  return segments.join("/");
}

/** True for `prefix` itself and everything below it. */
export function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}
