/** A file that stands in the deployment directory already. */
interface ExistingFile {
  /** Null where it is no regular UTF-8 text file of a sane size. */
  readonly text: string | null;
  /** Permission bits; null where the platform has none. */
  readonly mode: number | null;
  readonly isLink: boolean;
  /** Why there is no text, in lower case; null where there is. */
  readonly problem: string | null;
}

/** Something that stands where init needs a file of its own. `message` says what it is; nothing was written. */
export class PathOccupied extends Error {
  override readonly name = "PathOccupied";
  readonly path: string;

  constructor(path: string, reason: string) {
    super(reason);
    this.path = path;
  }
}

/** Reads what stands at a path of the deployment directory; null: nothing. */
export type Existing = (path: string) => ExistingFile | null;

/** What init does with one file. `text` is what the file holds afterwards. */
export interface PlannedFile {
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

interface Kind {
  readonly mode?: number;
  readonly secret?: boolean;
  /** `text`: the rest is made from what it says, so that it must be readable. `file`: and no link, which git would not follow. */
  readonly needs?: "text" | "file";
  /** Without it an existing file stays as it is. */
  readonly merge?: Merge;
}

/**
 * Plans one file: made where there is none, merged where that can be done, else kept.
 *
 * @throws {PathOccupied} where what is there cannot serve, and the deployment would be unsafe or another one with it
 */
export function planFile(path: string, text: string, existing: Existing, kind: Kind = {}): PlannedFile {
  const found = existing(path);
  const secret = kind.secret ?? false;
  if (found === null)
    return {
      path,
      secret,
      mode: kind.mode ?? (secret ? 0o600 : 0o644),
      action: "created",
      text,
      before: null,
      notes: [],
    };
  const base = { path, secret, mode: found.mode };
  if (kind.needs === "file" && found.isLink)
    throw new PathOccupied(path, "it is a symbolic link, which git does not follow");
  if (found.text === null) {
    const reason = found.problem ?? "it cannot be read";
    if (kind.needs !== undefined) throw new PathOccupied(path, reason);
    return { ...base, action: "kept", text: "", before: "", notes: [reason] };
  }
  const before = found.text;
  if (kind.merge === undefined) return { ...base, action: "kept", text: before, before, notes: [] };
  const merged = kind.merge(before);
  if (found.isLink && merged.text !== before)
    throw new PathOccupied(path, "it is a symbolic link, which is not written through");
  return {
    ...base,
    action: merged.text === before ? "kept" : "merged",
    text: merged.text,
    before,
    notes: merged.notes,
  };
}
