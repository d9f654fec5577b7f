import { MAX_TEXT_BYTES } from "../diagnostics/input-problem.ts";
import { isUtf8 } from "node:buffer";
import { type Dirent, lstatSync, readdirSync, realpathSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { isReadByRules, SKILLS_EXTENT, type TreeExtent } from "../deployment/files.ts";
import { MOST_ENTRIES, type SkillsPath, type TreeEntry } from "../deployment/inputs.ts";
import { compareText } from "../base/text-order.ts";
import { isInside } from "./paths.ts";
import { kindAt, permissionBits, readRegularFile } from "./read-file.ts";

/** How deep to go, which entries are opened, and what else is listed. */
export interface TreeOptions extends TreeExtent {
  /** Also list what is behind links to directories, the root among them, as qm does for plugins; `depth` keeps a link to a parent from going round. */
  readonly followsDirectories?: true;
  /** How many entries are listed at most; {@link MOST_ENTRIES} where it is not said. */
  readonly most?: number;
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
  return { text: isText && isReadByRules(shown) ? bytes.toString("utf8") : null, isText };
}

function entryOf(path: string, shown: string, dirent: Dirent, options: TreeOptions): TreeEntry {
  const kind = entryKind(dirent);
  const facts = { path: shown, kind, size: 0, mode: null, text: null, isText: true, leadsTo: null };
  try {
    const stats = lstatSync(path);
    const known = { ...facts, size: kind === "file" ? stats.size : 0, mode: permissionBits(stats) };
    if (kind === "symlink") return { ...known, leadsTo: leadsTo(path) };
    return kind === "file" && options.opens(shown) ? { ...known, ...readText(path, shown, known.size) } : known;
  } catch {
    return { ...facts, unread: "failed" };
  }
}

/** What stands in the place of a root; null where nothing does. */
function rootEntry(path: string, shown: string): TreeEntry | null {
  const base = { path: shown, size: 0, mode: null, text: null, isText: true, leadsTo: null };
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    if (stats.isSymbolicLink()) return { ...base, kind: "symlink", leadsTo: leadsTo(path) };
    return { ...base, kind: stats.isDirectory() ? "directory" : "other" };
  } catch {
    return { ...base, kind: "other", unread: "failed" };
  }
}

/**
 * The entries below `root` as data, sorted by path; `name` is what their paths start with. Links are listed, and not
 * followed unless the options say so. The root itself is listed where it is a link that is not followed, or where it is
 * not known in full; what cannot be read is listed as `unread`.
 */
export function readTree(root: string, name: string, options: TreeOptions): TreeEntry[] {
  const entries: TreeEntry[] = [];
  const isWalked = ({ kind, leadsTo: target }: TreeEntry): boolean =>
    kind === "directory" || (options.followsDirectories === true && target === "directory");
  /** Lists a directory; gives why it is not known in full. */
  const walk = (directory: string, shown: string, depth: number): TreeEntry["unread"] => {
    let dirents: Dirent[];
    try {
      dirents = readdirSync(directory, { withFileTypes: true });
    } catch {
      return "failed";
    }
    for (const dirent of dirents) {
      if (entries.length >= (options.most ?? MOST_ENTRIES)) return "limit";
      const path = join(directory, dirent.name);
      add(entryOf(path, `${shown}/${dirent.name}`, dirent, options), path, depth);
    }
    return undefined;
  };
  const add = (entry: TreeEntry, path: string, depth: number): void => {
    const at = entries.push(entry) - 1;
    if (!isWalked(entry) || depth <= 1) return;
    const unread = walk(path, entry.path, depth - 1);
    if (unread !== undefined) entries[at] = { ...entry, unread };
  };
  const top = rootEntry(root, name);
  if (top === null) return [];
  const unread = isWalked(top) ? walk(root, name, options.depth) : top.unread;
  if (unread !== undefined) entries.push({ ...top, unread });
  else if (top.kind === "symlink" && !isWalked(top)) entries.push(top);
  return entries.sort((a, b) => compareText(a.path, b.path));
}

/** What a path of `skills[]` leads to, once links are followed. */
function skillsKind(written: string, directory: string): SkillsPath["kind"] {
  if (written.includes("\0")) return "missing";
  const path = resolve(directory, written);
  if (!isInside(path, directory)) return "outside";
  try {
    const [real, realDirectory] = [realpathSync(path), realpathSync(directory)];
    if (real === realDirectory) return "deployment";
    if (!isInside(real, realDirectory)) return "outside";
  } catch {
    return "missing";
  }
  const kind = kindAt(path);
  return kind === null ? "missing" : kind === "directory" ? kind : "other";
}

/** The `skills[]` of a config with what each leads to, and what is below it. */
export function readSkillsPaths(written: readonly string[], directory: string): SkillsPath[] {
  return written.map((path) => {
    const kind = skillsKind(path, directory);
    if (kind !== "directory") return { written: path, kind };
    const at = resolve(directory, path);
    const root = relative(directory, at).replaceAll(sep, "/");
    // A link in the place of the directory is followed, as docker does that mounts it.
    const entries = readTree(realpathSync(at), root, SKILLS_EXTENT);
    return { written: path, kind, tree: { root, entries } };
  });
}
