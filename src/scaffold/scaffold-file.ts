import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { readTextFile } from "../workspace/read-file.ts";
import type { TextFile } from "../workspace/text-file.ts";

/** Why init stops. Message and help are for people, and quote no content. */
export class ScaffoldError extends Error {
  override readonly name = "ScaffoldError";
  readonly help: string;

  constructor(message: string, help: string) {
    super(message);
    this.help = help;
  }
}

/** What init does with one file. `text` is what the file holds afterwards. */
export interface ScaffoldFile {
  /** From the deployment directory, with `/`. */
  readonly path: string;
  /** Absolute; no link below it is followed. */
  readonly root: string;
  readonly action: "created" | "merged" | "kept";
  readonly text: string;
  /** What was there; null: nothing. */
  readonly before: string | null;
  /** Permission bits: of a new file before the umask, of an existing one as they are (null where the platform has none). */
  readonly mode: number | null;
  readonly secret: boolean;
  /** What a person should know about it, such as what was merged. */
  readonly notes: readonly string[];
}

/** How a file that exists already is merged. Texts of `notes` begin in lower case. */
export type Merge = (before: string) => { readonly text: string; readonly notes: readonly string[] };

interface FileOptions {
  readonly mode?: number;
  readonly secret?: boolean;
  /** `text`: the rest is made from what it says, so that it must be readable. `file`: and no link, which git would not follow. */
  readonly needs?: "text" | "file";
  /** As {@link ScaffoldFile.root}; the deployment directory where it is not said. */
  readonly root?: string;
  /** Without it an existing file stays as it is. */
  readonly merge?: Merge;
}

/** What stands at a path, and why it cannot be read; null: nothing is there, or a file in the place of a directory, which writing finds. */
function readExisting(full: string, path: string): (Partial<TextFile> & { isLink: boolean; problem: string }) | null {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(full, { throwIfNoEntry: false });
  } catch {
    return null;
  }
  if (stats === undefined) return null;
  const isLink = stats.isSymbolicLink();
  const { file, problem } = readTextFile(full, path);
  const leadsNowhere = isLink && problem?.rule === "input/missing";
  return { ...file, isLink, problem: leadsNowhere ? "it is a link that leads nowhere" : (problem?.message ?? "") };
}

function occupied(path: string, reason: string): ScaffoldError {
  const help = "nothing was written; put a text file in its place, or move it away, and run init again";
  return new ScaffoldError(`\`${path}\` is in the way: ${reason}`, help);
}

/**
 * Plans one file of a deployment directory: made where there is none, merged where that can be done, else kept.
 *
 * @throws {ScaffoldError} where what is there cannot serve, and the deployment would be unsafe or another one with it
 */
export function planFile(directory: string, path: string, text: string, options: FileOptions = {}): ScaffoldFile {
  const { needs, merge, secret = false, mode = secret ? 0o600 : 0o644, root = directory } = options;
  const found = readExisting(join(directory, path), path);
  if (found === null) return { path, root, action: "created", text, before: null, mode, secret, notes: [] };
  const { text: before, isLink, problem } = found;
  if (needs === "file" && isLink) throw occupied(path, "it is a symbolic link, which git does not follow");
  if (before === undefined && needs !== undefined) throw occupied(path, problem);
  const kept = { path, root, action: "kept", mode: found.mode ?? null, secret } as const;
  if (before === undefined) return { ...kept, text: "", before: "", notes: [problem] };
  const merged = merge?.(before) ?? { text: before, notes: [] };
  if (merged.text === before) return { ...kept, ...merged, before };
  if (isLink) throw occupied(path, "it is a symbolic link, which is not written through");
  return { ...kept, ...merged, action: "merged", before };
}
