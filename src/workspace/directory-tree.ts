import { isUtf8 } from "node:buffer";
import { closeSync, type Dirent, lstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import type { TreeEntry } from "../deployment/inputs.ts";
import { compareText } from "../base/text-order.ts";
import { MAX_TEXT_BYTES } from "./read-file.ts";

/** More entries than this are not read: a sandbox layer is small, and a mistaken link to a disk must not hang a check. */
const MAX_ENTRIES = 20_000;

/** Files whose text rules read. */
const READ_TEXT = /(?:^|\/)(?:tool\.json|SKILL\.md|Dockerfile|\.dockerignore)$/;

/** How deep to go, and which entries are opened. */
export interface TreeOptions {
  /** Levels of directories below the root; 1 is the root's own entries. */
  readonly depth: number;
  /** True for files (by path) of which it matters whether they are text; their text is kept where rules read it. */
  readonly opens: (path: string) => boolean;
  /** Also list what is behind links to directories, the root among them, as qm does for plugins; `depth` keeps a link to a parent from going round. */
  readonly followsDirectories?: true;
}

function leadsTo(path: string): TreeEntry["leadsTo"] {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? "file" : stats?.isDirectory() ? "directory" : null;
}

function kindOf(entry: Dirent): TreeEntry["kind"] {
  return entry.isSymbolicLink() ? "symlink" : entry.isDirectory() ? "directory" : entry.isFile() ? "file" : "other";
}

/** True when the first bytes of a large file hold a zero, as those of programs do and those of text do not. */
function startsBinary(path: string): boolean {
  const start = Buffer.alloc(4096);
  const descriptor = openSync(path, "r");
  try {
    return start.subarray(0, readSync(descriptor, start)).includes(0);
  } finally {
    closeSync(descriptor);
  }
}

function readText(path: string, shown: string, size: number): Pick<TreeEntry, "text" | "isText"> {
  if (size > MAX_TEXT_BYTES) return { text: null, isText: !startsBinary(path) };
  const bytes = readFileSync(path);
  const isText = isUtf8(bytes) && !bytes.includes(0);
  return { text: isText && READ_TEXT.test(shown) ? bytes.toString("utf8") : null, isText };
}

function entryOf(path: string, shown: string, dirent: Dirent, options: TreeOptions): TreeEntry {
  const kind = kindOf(dirent);
  const stats = lstatSync(path);
  const mode = process.platform === "win32" ? null : stats.mode & 0o7777;
  const size = kind === "file" ? stats.size : 0;
  const content = kind === "file" && options.opens(shown) ? readText(path, shown, size) : { text: null, isText: true };
  return { path: shown, kind, size, mode, ...content, leadsTo: kind === "symlink" ? leadsTo(path) : null };
}

/** What stands in the place of a root; null where nothing does, or it may not be looked at. */
function rootEntry(path: string, shown: string): TreeEntry | null {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    const kind = stats.isSymbolicLink() ? "symlink" : stats.isDirectory() ? "directory" : "other";
    return {
      path: shown,
      kind,
      size: 0,
      mode: null,
      text: null,
      isText: true,
      leadsTo: kind === "symlink" ? leadsTo(path) : null,
    };
  } catch {
    return null;
  }
}

/**
 * The entries below `root` as data, sorted by path; `name` is what their paths start with. Links are listed, and not
 * followed unless the options say so; a root that is one is then the only entry. What cannot be read is listed as far as
 * it is known, or left out.
 */
export function readTree(root: string, name: string, options: TreeOptions): TreeEntry[] {
  const entries: TreeEntry[] = [];
  const walk = (directory: string, shown: string, depth: number): void => {
    let dirents: Dirent[];
    try {
      dirents = readdirSync(directory, { withFileTypes: true });
    } catch {
      return;
    }
    for (const dirent of dirents) {
      if (entries.length >= MAX_ENTRIES) return;
      const path = join(directory, dirent.name);
      let entry: TreeEntry;
      try {
        entry = entryOf(path, `${shown}/${dirent.name}`, dirent, options);
      } catch {
        continue;
      }
      entries.push(entry);
      const isDirectory =
        entry.kind === "directory" || (options.followsDirectories === true && entry.leadsTo === "directory");
      if (isDirectory && depth > 1) walk(path, `${shown}/${dirent.name}`, depth - 1);
    }
  };
  const top = rootEntry(root, name);
  if (top?.kind === "directory" || (top?.leadsTo === "directory" && options.followsDirectories === true))
    walk(root, name, options.depth);
  else if (top?.kind === "symlink") entries.push(top);
  return entries.sort((a, b) => compareText(a.path, b.path));
}
