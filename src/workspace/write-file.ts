import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type SystemError, systemError } from "../base/system-error.ts";
import { isInside, withShortPaths } from "./paths.ts";
import { readTextFile } from "./read-file.ts";

/** What a write that was killed leaves beside its file, by name; the file's own name is in it. */
export const TEMPORARY = /^\.(.+)\.[0-9a-f]{16}\.tmp$/;

function temporaryPath(target: string): string {
  return join(dirname(target), `.${basename(target)}.${randomBytes(8).toString("hex")}.tmp`);
}

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

/** Why something could not be written, in words, with paths from the working directory; null for an error that is a fault of ours. */
export function writeFailure(error: unknown): string | null {
  const reason = error instanceof WriteRefused ? error.message : refusal(systemError(error));
  return reason === null ? null : withShortPaths(reason, process.cwd());
}

function refusal(refused: SystemError | null): string | null {
  if (refused === null) return null;
  const about = refused.path === null ? "" : ` of \`${refused.path}\``;
  return `the file system said${about} ${refused.says}; ${refused.help}`;
}

function refuseKind(path: string, stats: fs.Stats, wanted: string): never {
  throw new WriteRefused(`\`${path}\` is ${stats.isSymbolicLink() ? "a symbolic link" : `no ${wanted}`}`);
}

/**
 * Walks from below `root` down to `directory`, which must be inside it; true when all of it is there. With `made`, what is
 * missing is made, and listed in it.
 *
 * @throws {WriteRefused} for a part that is a link or no directory
 */
export function walkDirectories(root: string, directory: string, made?: string[]): boolean {
  if (!isInside(directory, root)) throw new WriteRefused(`\`${directory}\` is outside \`${root}\``);
  let at = root;
  for (const name of relative(root, directory).split(sep)) {
    at = join(at, name);
    const stats = fs.lstatSync(at, { throwIfNoEntry: false });
    if (stats === undefined && made === undefined) return false;
    if (stats === undefined) {
      fs.mkdirSync(at);
      made?.push(at);
    } else if (at !== root && !stats.isDirectory()) refuseKind(at, stats, "directory");
  }
  return true;
}

/**
 * What stands at a path; null: nothing.
 *
 * @throws {WriteRefused} for a link and for what is no regular file
 */
export function regularFileAt(path: string): fs.Stats | null {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  return stats.isFile() ? stats : refuseKind(path, stats, "regular file");
}

function checkExpected(path: string, existing: fs.Stats | null, expected: string | null | undefined): void {
  if (expected === undefined) return;
  const found = existing === null ? null : readTextFile(path, path).file?.text;
  if (found !== expected) throw new WriteRefused(`\`${path}\` was changed meanwhile`);
}

function syncDirectory(directory: string): void {
  // Windows cannot open a directory; there the rename is all that can be done.
  if (process.platform === "win32") return;
  const descriptor = fs.openSync(directory, fs.constants.O_RDONLY);
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

function modeOf(existing: fs.Stats | null, options: WriteOptions): number {
  if (options.secret === true) return 0o600;
  if (existing !== null) return existing.mode & 0o777;
  return (options.mode ?? 0o666) & ~process.umask();
}

/** Writes an open file to the disk with its permissions, and closes it. */
function fillAndClose(descriptor: number, content: string | Buffer, existing: fs.Stats | null, mode: number): void {
  try {
    fs.writeFileSync(descriptor, content);
    // As root the file would change hands; anybody else cannot give files away and need not.
    if (existing !== null && process.getuid?.() === 0) fs.fchownSync(descriptor, existing.uid, existing.gid);
    fs.fchmodSync(descriptor, mode);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Makes a directory for this user alone, of which git takes nothing, whatever is in it and whoever was killed. */
export function makeIgnoredDirectory(path: string): void {
  fs.mkdirSync(path, 0o700);
  fs.writeFileSync(join(path, ".gitignore"), "*\n", { flag: "wx" });
}

/**
 * Writes a file so that at any moment the old or the new content is there, whole: a temporary file beside it, then a
 * rename. Never writes through a link, never leaves `root`, keeps the mode of an existing file. Missing directories are made.
 *
 * @throws {WriteRefused} where one of these cannot be kept; file system errors as they are
 */
export function writeFileAtomically(path: string, content: string | Buffer, options: WriteOptions): void {
  const root = fs.realpathSync(options.root);
  const target = resolve(root, relative(resolve(options.root), resolve(options.root, path)));
  if (target === root) throw new WriteRefused(`\`${path}\` is a directory`);
  walkDirectories(root, dirname(target), []);
  const existing = regularFileAt(target);
  checkExpected(target, existing, options.expected);
  const temporary = temporaryPath(target);
  try {
    if (options.secret === true) makeIgnoredDirectory(temporary);
    const filled = options.secret === true ? join(temporary, "new") : temporary;
    fillAndClose(fs.openSync(filled, "wx", 0o600), content, existing, modeOf(existing, options));
    // Filling takes time, in which somebody may have saved an edit.
    checkExpected(target, regularFileAt(target), options.expected);
    // The rename would replace a link that was planted meanwhile, not follow it; a directory makes it fail.
    fs.renameSync(filled, target);
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
  syncDirectory(dirname(target));
}
