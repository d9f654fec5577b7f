import { lstatSync, readlinkSync } from "node:fs";
import { join, parse, resolve, sep } from "node:path";

/** As many links one after another as the system follows itself. */
const MAX_LINKS = 40;

/** An entry of a directory that is there. */
export interface DirectoryEntry {
  readonly directory: string;
  readonly name: string;
}

/** Where a path, followed step by step, first comes to a link, to nothing, or to its end. */
type Step = DirectoryEntry & { readonly link: string | null; readonly behind: string };

/**
 * The entries that say what a path leads to: each link on the way, and the end of it, or the first that is missing. The
 * path is absolute.
 */
export function entriesOnTheWay(path: string): DirectoryEntry[] {
  const entries: DirectoryEntry[] = [];
  let rest = path;
  for (let links = 0; links <= MAX_LINKS; links++) {
    const { directory, name, link, behind } = firstStep(rest);
    entries.push({ directory, name });
    if (link === null) break;
    rest = resolve(directory, link, behind);
  }
  return entries;
}

/** True for a link, wherever it leads. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function firstStep(path: string): Step {
  const { root } = parse(path);
  const names = path.slice(root.length).split(sep);
  let directory = root;
  for (const [index, name] of names.entries()) {
    const at = join(directory, name);
    const behind = names.slice(index + 1).join(sep);
    try {
      if (lstatSync(at).isSymbolicLink()) return { directory, name, link: readlinkSync(at), behind };
    } catch {
      return { directory, name, link: null, behind };
    }
    if (behind !== "") directory = at;
  }
  return { directory, name: names.at(-1) ?? "", link: null, behind: "" };
}
