import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { isInside } from "./paths.ts";
import { readTextFile } from "./read-file.ts";

/** How to write a file. */
export interface WriteOptions {
  /** The directory that the write must stay in; links above it are trusted, links below it refused. */
  readonly root: string;
  /** True: readable by the owner only (0600), whatever the file or the umask was. */
  readonly secret?: boolean;
  /** Permission bits of a new file, before the umask; 0o666 when not given. */
  readonly mode?: number;
  /** What the file must hold now (null: it must not exist); refused where somebody else changed it. */
  readonly expected?: string | null;
}

/** A write that was not done; the file is as it was. `message` is for people and quotes no content. */
export class WriteRefused extends Error {
  override readonly name = "WriteRefused";
}

function lstatOrNull(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

/** Makes the directories from `root` down to `directory`; refuses a component that is a link or no directory. */
function prepareDirectory(root: string, directory: string): void {
  if (!isInside(directory, root)) throw new WriteRefused(`\`${directory}\` is outside \`${root}\``);
  let at = root;
  for (const part of relative(root, directory)
    .split(sep)
    .filter((name) => name !== "")) {
    at = join(at, part);
    const stats = lstatOrNull(at);
    if (stats === null) mkdirSync(at);
    else if (!stats.isDirectory())
      throw new WriteRefused(`\`${at}\` is ${stats.isSymbolicLink() ? "a symbolic link" : "no directory"}`);
  }
}

function existingFile(path: string): Stats | null {
  const stats = lstatOrNull(path);
  if (stats?.isSymbolicLink()) throw new WriteRefused(`\`${path}\` is a symbolic link`);
  if (stats !== null && !stats.isFile()) throw new WriteRefused(`\`${path}\` is no regular file`);
  return stats;
}

function checkExpected(path: string, expected: string | null | undefined): void {
  if (expected === undefined) return;
  const found = lstatOrNull(path) === null ? null : (readTextFile(path, path).file?.text ?? undefined);
  if (found !== expected) throw new WriteRefused(`\`${path}\` was changed meanwhile`);
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
}

function syncDirectory(directory: string): void {
  // Windows cannot open a directory; there the rename is all that can be done.
  if (process.platform === "win32") return;
  const descriptor = openSync(directory, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function modeOf(existing: Stats | null, options: WriteOptions): number {
  if (options.secret === true) return 0o600;
  if (existing !== null) return existing.mode & 0o777;
  return (options.mode ?? 0o666) & ~process.umask();
}

/** Writes the temporary file beside the target; returns its path. */
function writeTemporary(path: string, bytes: Buffer, existing: Stats | null, mode: number): string {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString("hex")}.tmp`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(temporary, flags, 0o600);
  try {
    writeAll(descriptor, bytes);
    // As root the file would change hands; anybody else cannot give files away and need not.
    if (existing !== null && process.getuid?.() === 0) fchownSync(descriptor, existing.uid, existing.gid);
    fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return temporary;
}

/**
 * Writes a file so that at any moment the old or the new content is there, whole: a temporary file beside it, then a
 * rename. Never writes through a link, never leaves `root`, keeps the mode of an existing file. Missing directories are made.
 *
 * @throws {WriteRefused} where one of these cannot be kept; file system errors as they are
 */
export function writeFileAtomically(path: string, content: string | Buffer, options: WriteOptions): void {
  const root = realpathSync(options.root);
  const target = resolve(root, relative(resolve(options.root), resolve(options.root, path)));
  if (target === root) throw new WriteRefused(`\`${path}\` is a directory`);
  prepareDirectory(root, dirname(target));
  const existing = existingFile(target);
  checkExpected(target, options.expected);
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  const temporary = writeTemporary(target, bytes, existing, modeOf(existing, options));
  try {
    // The rename would replace a link that was planted meanwhile, not follow it; a directory makes it fail.
    renameSync(temporary, target);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
  syncDirectory(dirname(target));
}
