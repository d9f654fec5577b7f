import { unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { dropStaleLock, withLock } from "./lock.ts";
import { writeFailure, writeFileAtomically } from "./write-file.ts";

/** One file of a set that is written as a whole. `before` null: there is none yet. */
export interface FileEdit {
  /** Absolute. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/** A set that could neither be written nor taken back: these files, by path, are written and whole. */
export class PartlyWritten extends Error {
  override readonly name = "PartlyWritten";
  readonly written: readonly string[];
  constructor(written: readonly string[], cause: unknown) {
    super("some files were written and could not be taken back", { cause });
    this.written = written;
  }
}

/**
 * Writes some files that belong together, each atomically, and then does what rests on them; where one of these fails, what was
 * written before is taken back. Meanwhile no other process of this toolkit edits the files. A process that is killed leaves a
 * part of them, each whole.
 *
 * @throws {WriteRefused} and file system errors, and whatever `last` throws: everything is as it was then
 * @throws {PartlyWritten} where it is not
 */
export async function writeTogether<T>(edits: readonly FileEdit[], last: () => Promise<T>): Promise<T> {
  const changed = edits.filter(({ before, after }) => before !== after);
  // Of a run that was killed behind them, these are written already.
  for (const { path } of edits.filter((edit) => !changed.includes(edit))) dropStaleLock(path);
  return withLocks(
    changed.map(({ path }) => path),
    async () => {
      const written: FileEdit[] = [];
      try {
        for (const edit of changed) {
          write(edit);
          written.push(edit);
        }
        return await last();
      } catch (error) {
        takeBack(written, error);
        throw error;
      }
    },
  );
}

async function withLocks<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
  const [first, ...others] = paths;
  return first === undefined ? work() : withLock(first, () => withLocks(others, work));
}

function write({ path, before, after }: FileEdit): void {
  writeFileAtomically(path, after, { root: dirname(path), expected: before });
}

function takeBack(written: readonly FileEdit[], cause: unknown): void {
  const left: string[] = [];
  for (const { path, before, after } of written.toReversed()) {
    try {
      if (before === null) unlinkSync(path);
      else write({ path, before: after, after: before });
    } catch (error) {
      if (writeFailure(error) === null) throw error;
      left.push(path);
    }
  }
  if (left.length > 0) throw new PartlyWritten(left, cause);
}
