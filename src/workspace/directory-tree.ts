import { isUtf8 } from "node:buffer";
import { type Dirent, lstatSync, readdirSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import type { SkillsPath, TreeEntry } from "../deployment/inputs.ts";
import { compareText } from "../base/text-order.ts";
import { isInside } from "./paths.ts";
import { kindAt, MAX_TEXT_BYTES, permissionBits, readRegularFile } from "./read-file.ts";

/** More entries than this are not read: a sandbox layer is small, and a mistaken link to a disk must not hang a check. */
const MAX_ENTRIES = 20_000;

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

/** Bytes of a large file that are looked at: programs have a zero among them, text has none. */
const BINARY_PROBE_BYTES = 4096;

function leadsTo(path: string): TreeEntry["leadsTo"] {
  const kind = kindAt(path);
  return kind === "other" ? null : kind;
}

/** What an entry of a directory is; links are not followed. */
export function entryKind(entry: Dirent): TreeEntry["kind"] {
  return entry.isSymbolicLink() ? "symlink" : entry.isDirectory() ? "directory" : entry.isFile() ? "file" : "other";
}

function readText(path: string, shown: string, size: number): Pick<TreeEntry, "text" | "isText"> {
  const isLarge = size > MAX_TEXT_BYTES;
  const read = readRegularFile(path, { limit: isLarge ? BINARY_PROBE_BYTES : MAX_TEXT_BYTES });
  const bytes = "bytes" in read ? read.bytes : Buffer.alloc(1);
  if (isLarge) return { text: null, isText: !bytes.includes(0) };
  const isText = isUtf8(bytes) && !bytes.includes(0);
  return { text: isText && READ_TEXT.test(shown) ? bytes.toString("utf8") : null, isText };
}

function entryOf(path: string, shown: string, dirent: Dirent, options: TreeOptions): TreeEntry {
  const kind = entryKind(dirent);
  const stats = lstatSync(path);
  const size = kind === "file" ? stats.size : 0;
  const content = kind === "file" && options.opens(shown) ? readText(path, shown, size) : { text: null, isText: true };
  const target = kind === "symlink" ? leadsTo(path) : null;
  return { path: shown, kind, size, mode: permissionBits(stats), ...content, leadsTo: target };
}

/** What stands in the place of a root; null where nothing does, or it may not be looked at. */
function rootEntry(path: string, shown: string): TreeEntry | null {
  const base = { path: shown, size: 0, mode: null, text: null, isText: true };
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    if (stats.isSymbolicLink()) return { ...base, kind: "symlink", leadsTo: leadsTo(path) };
    return { ...base, kind: stats.isDirectory() ? "directory" : "other", leadsTo: null };
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
  const isWalked = ({ kind, leadsTo: target }: TreeEntry): boolean =>
    kind === "directory" || (options.followsDirectories === true && target === "directory");
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
      if (isWalked(entry) && depth > 1) walk(path, `${shown}/${dirent.name}`, depth - 1);
    }
  };
  const top = rootEntry(root, name);
  if (top !== null && isWalked(top)) walk(root, name, options.depth);
  else if (top?.kind === "symlink") entries.push(top);
  return entries.sort((a, b) => compareText(a.path, b.path));
}

/** What a path of `skills[]` leads to, once links are followed. */
function skillsKind(written: string, directory: string): SkillsPath["kind"] {
  if (written.includes("\0")) return "missing";
  const path = resolve(directory, written);
  if (!isInside(path, directory)) return "outside";
  try {
    if (!isInside(realpathSync(path), realpathSync(directory))) return "outside";
  } catch {
    return "missing";
  }
  const kind = kindAt(path);
  return kind === null ? "missing" : kind === "directory" ? kind : "other";
}

/** The `skills[]` of a config with what each leads to. */
export function readSkillsPaths(written: readonly string[], directory: string): SkillsPath[] {
  return written.map((path) => ({ written: path, kind: skillsKind(path, directory) }));
}
