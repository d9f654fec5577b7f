import { type Repository, runGit } from "./git.ts";

/** An object of a repository, with its content. */
export interface GitObject {
  readonly id: string;
  readonly type: string;
  readonly content: Buffer;
}

/** The objects that names stand for (ids, `HEAD:path`), in their order; null where there is none. */
export async function readObjects(repository: Repository, names: readonly string[]): Promise<(GitObject | null)[]> {
  if (names.length === 0) return [];
  // A name is a line of the question: one with a line end in it names nothing, and is asked as what cannot be there.
  const lines = names.map((name) => `${/[\0\n\r]/.test(name) ? ":" : name}\n`);
  const output = await runGit(repository, ["cat-file", "--batch"], lines.join(""));
  let at = 0;
  return names.map(() => {
    const end = output.indexOf(10, at);
    const [, id = "", type = "", size] =
      /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(output.toString("latin1", at, end)) ?? [];
    at = end + 1;
    if (size === undefined) return null;
    const content = output.subarray(at, at + Number(size));
    at += content.length + 1;
    return { id, type, content };
  });
}

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
  const lines = output.toString("utf8").split("\0");
  return lines.flatMap((line) => {
    const [, mode = "", type = "", id = "", size, path = ""] =
      /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(line) ?? [];
    return size === undefined ? [] : [{ mode, type, id, size: size === "-" ? 0 : Number(size), path }];
  });
}
