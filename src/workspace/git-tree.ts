import { isUtf8 } from "node:buffer";
import type { TreeEntry } from "../deployment/inputs.ts";
import { compareText } from "../base/text-order.ts";
import { type Repository, runGit } from "./git.ts";
import { MAX_TEXT_BYTES } from "./read-file.ts";

/** An entry of a tree object; `path` is relative to it. */
export interface GitEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly id: string;
  /** Bytes of a blob; 0 for others. */
  readonly size: number;
}

/** The entries of a tree object (by id): its own, or with `deep` all below it. */
export async function listTree(repository: Repository, tree: string, deep: boolean): Promise<GitEntry[]> {
  const output = await runGit(repository, ["ls-tree", "--full-tree", ...(deep ? ["-r", "-t"] : []), "-z", "-l", tree]);
  return output
    .toString("utf8")
    .split("\0")
    .flatMap((line) => {
      const match = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(line);
      if (match === null) return [];
      const [, mode, type, id, size, path] = match as unknown as [string, string, string, string, string, string];
      return [{ mode, type, id, size: size === "-" ? 0 : Number(size), path }];
    });
}

/** The contents of blobs by their ids; those above the size limit of text files are left out. */
export async function readBlobs(
  repository: Repository,
  entries: readonly Pick<GitEntry, "type" | "id" | "size">[],
): Promise<ReadonlyMap<string, Buffer>> {
  const ids = [
    ...new Set(entries.filter(({ type, size }) => type === "blob" && size <= MAX_TEXT_BYTES).map(({ id }) => id)),
  ];
  const blobs = new Map<string, Buffer>();
  if (ids.length === 0) return blobs;
  const output = await runGit(repository, ["cat-file", "--batch"], ids.map((id) => `${id}\n`).join(""));
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(10, at);
    const [id, type, size] = output.subarray(at, end).toString("latin1").split(" ");
    at = end + 1;
    if (id === undefined || type !== "blob") continue;
    const length = Number(size);
    blobs.set(id, output.subarray(at, at + length));
    at += length + 1;
  }
  return blobs;
}

const KINDS: { readonly [mode: string]: TreeEntry["kind"] } = {
  "040000": "directory",
  "100644": "file",
  "100755": "file",
  "120000": "symlink",
};

function treeEntry(name: string, { path, mode, size, id }: GitEntry, blobs: ReadonlyMap<string, Buffer>): TreeEntry {
  const kind = KINDS[mode] ?? "other";
  const bytes = kind === "file" ? blobs.get(id) : undefined;
  const isText = bytes === undefined || (isUtf8(bytes) && !bytes.includes(0));
  return {
    path: `${name}/${path}`,
    kind,
    size: kind === "file" ? size : 0,
    mode: mode === "100755" ? 0o755 : kind === "file" ? 0o644 : null,
    text: bytes !== undefined && isText ? bytes.toString("utf8") : null,
    isText,
    leadsTo: null,
  };
}

/** Everything below a directory of a tree, as it would be read from disk; empty where there is no such directory. */
export async function readGitTree(
  repository: Repository,
  entries: readonly GitEntry[],
  name: string,
): Promise<TreeEntry[]> {
  const root = entries.find(({ path, type }) => path === name && type === "tree");
  if (root === undefined) return [];
  const below = await listTree(repository, root.id, true);
  const blobs = await readBlobs(repository, below);
  return below.map((entry) => treeEntry(name, entry, blobs)).sort((a, b) => compareText(a.path, b.path));
}
