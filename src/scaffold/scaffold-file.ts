import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { readTextFile } from "../workspace/read-file.ts";

/** What stands at a path of the deployment directory already. */
interface ExistingFile {
  /** Null where it is no regular UTF-8 text file of a sane size. */
  readonly text: string | null;
  /** Permission bits; null where the platform has none. */
  readonly mode: number | null;
  readonly isLink: boolean;
  /** Why there is no text, in lower case; null where there is. */
  readonly problem: string | null;
}

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
  readonly action: "created" | "merged" | "kept";
  readonly text: string;
  /** What was there; null: nothing. */
  readonly before: string | null;
  /** Permission bits: of a new file before the umask, of an existing one as they are (null where the platform has none). */
  readonly mode: number | null;
  /** True: 0600. */
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
  /** Without it an existing file stays as it is. */
  readonly merge?: Merge;
}

/** Looks at a path of the deployment directory, which need not exist; null: nothing is there. */
function readExisting(directory: string, path: string): ExistingFile | null {
  const full = join(directory, path);
  let stats: Stats | undefined;
  try {
    stats = lstatSync(full, { throwIfNoEntry: false });
  } catch {
    // A file stands where a directory is meant to be: nothing is kept, and writing says what is wrong.
    return null;
  }
  if (stats === undefined) return null;
  const isLink = stats.isSymbolicLink();
  const { file, problem } = readTextFile(full, path);
  if (problem === undefined) return { text: file.text, mode: file.mode, isLink, problem: null };
  const reason = isLink && problem.rule === "input/missing" ? "it is a link that leads nowhere" : problem.message;
  return { text: null, mode: null, isLink, problem: reason };
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
  const { needs, merge, secret = false, mode = secret ? 0o600 : 0o644 } = options;
  const found = readExisting(directory, path);
  if (found === null) return { path, action: "created", text, before: null, mode, secret, notes: [] };
  if (needs === "file" && found.isLink) throw occupied(path, "it is a symbolic link, which git does not follow");
  const kept = { path, action: "kept", mode: found.mode, secret, notes: [] } as const;
  if (found.text === null) {
    const reason = found.problem ?? "it cannot be read";
    if (needs !== undefined) throw occupied(path, reason);
    return { ...kept, text: "", before: "", notes: [reason] };
  }
  const before = found.text;
  const merged = merge?.(before) ?? { text: before, notes: [] };
  if (found.isLink && merged.text !== before)
    throw occupied(path, "it is a symbolic link, which is not written through");
  return {
    ...kept,
    action: merged.text === before ? "kept" : "merged",
    text: merged.text,
    before,
    notes: merged.notes,
  };
}
