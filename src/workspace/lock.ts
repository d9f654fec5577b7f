import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, readdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readTextFile } from "./read-file.ts";
import { TEMPORARY, walkDirectories, WriteRefused, writeFileAtomically, type WriteOptions } from "./write-file.ts";

const PATIENCE_MS = 10_000;
const RETRY_MS = 20;
const OLD_MS = 2 * PATIENCE_MS;
const HOLDER = /^(\S+) (\d+) [0-9a-f]+$/;
const LOCK = /^\..+\.lock$/;
const WAITING = /^\..+\.lock\.[0-9a-f]{12}$/;
/** Codes of `link` where the file system has no hard links. */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** True for a file that this toolkit makes beside those that it edits, and takes away again. */
export function isOwnTemporary(name: string): boolean {
  return [TEMPORARY, LOCK, WAITING].some((form) => form.test(name));
}

function lockOf(file: string): string {
  return join(dirname(file), `.${basename(file)}.lock`);
}

/**
 * Who holds a lock; null where nobody does.
 *
 * @throws {WriteRefused} where what lies there is no lock
 */
function holderOf(lock: string): string | null {
  const { file, problem } = readTextFile(lock, lock);
  if (file !== undefined) return file.text;
  const isLink = lstatSync(lock, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (problem.rule === "input/missing" && !isLink) return null;
  throw new WriteRefused(`\`${lock}\` is no lock (${problem.message}); remove it, if no other process edits the file`);
}

/** True where a lock is this process's own. */
function isOwn(lock: string, holder: string): boolean {
  try {
    return holderOf(lock) === holder;
  } catch {
    return false;
  }
}

function isOld(lock: string): boolean {
  const stats = lstatSync(lock, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > OLD_MS;
}

/** True when the process that a lock names ran on this host and is gone, or when an old lock names none. */
function isStale(lock: string, holder: string): boolean {
  const named = HOLDER.exec(holder);
  if (named === null) return isOld(lock);
  if (named[1] !== hostname()) return false;
  try {
    process.kill(Number(named[2]), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Takes away the lock of a process that is gone, and only that one: whoever locked meanwhile gets the lock back. */
function breakStale(lock: string, holder: string): void {
  const aside = `${lock}.${randomBytes(6).toString("hex")}`;
  try {
    renameSync(lock, aside);
    if (holderOf(aside) !== holder) linkSync(aside, lock);
    unlinkSync(aside);
  } catch {
    // Somebody else was faster; the next attempt sees what is there now.
  }
}

/** Does what fails where a file is there already; false then. */
function unlessThere(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Gives the file `own`, which holds the holder's name, the lock's name too: a lock never lies there without its holder. */
function tryLock(own: string, lock: string, holder: string): boolean {
  try {
    return unlessThere(() => linkSync(own, lock));
  } catch (error) {
    if (!WITHOUT_LINKS.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    // What a killed process leaves on such a file system is empty, and stale once it is old.
    return unlessThere(() => writeFileSync(lock, holder, { flag: "wx", mode: 0o600 }));
  }
}

/** True while a process that runs holds a lock, or what lies there cannot be judged. */
function isHeld(lock: string): boolean {
  try {
    const holder = holderOf(lock);
    return holder !== null && !isStale(lock, holder);
  } catch {
    return true;
  }
}

/** What killed processes left in a directory, by name: half-written files, and locks that nobody holds. */
export function leftoversIn(directory: string): readonly string[] {
  const isLeft = (name: string): boolean => TEMPORARY.test(name) || (LOCK.test(name) && !isHeld(join(directory, name)));
  return readdirSync(directory).filter(isLeft);
}

/** Takes away the lock that a killed process left beside a file, where nobody goes on to write that file. */
export function dropStaleLock(file: string): void {
  const lock = lockOf(file);
  const holder = holderOf(lock);
  if (holder !== null && isStale(lock, holder)) breakStale(lock, holder);
}

/**
 * Takes away what processes left that were killed: half-written files, of which some hold secrets, and what waited for a
 * lock. A file is only ever written by whoever holds its lock, so that one of which nobody does is nobody's.
 */
function removeLeftovers(lock: string): void {
  const directory = dirname(lock);
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const writes = TEMPORARY.exec(name)?.[1];
    const itsLock = writes === undefined ? null : lockOf(join(directory, writes));
    const isLeft = itsLock === null ? WAITING.test(name) && isOld(path) : itsLock === lock || !isHeld(itsLock);
    if (isLeft) rmSync(path, { recursive: true, force: true });
  }
}

async function waitForLock(file: string, lock: string, holder: string): Promise<void> {
  const own = `${lock}.${randomBytes(6).toString("hex")}`;
  const deadline = Date.now() + PATIENCE_MS;
  try {
    writeFileSync(own, holder, { flag: "wx", mode: 0o600 });
    while (!tryLock(own, lock, holder)) {
      const other = holderOf(lock);
      if (other !== null && isStale(lock, other)) breakStale(lock, other);
      else if (Date.now() > deadline)
        throw new WriteRefused(`another process is editing \`${file}\`; if none is, remove \`${lock}\``);
      else await sleep(RETRY_MS);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Runs `work` while no other process of this toolkit edits `file`, so that two edits never lose each other's.
 *
 * @throws {WriteRefused} when another process keeps the lock for ten seconds
 */
export async function withLock<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  const lock = lockOf(file);
  const holder = `${hostname()} ${process.pid} ${randomBytes(6).toString("hex")}`;
  await waitForLock(file, lock, holder);
  try {
    removeLeftovers(lock);
    return await work();
  } finally {
    if (isOwn(lock, holder)) unlinkSync(lock);
  }
}

/**
 * {@link writeFileAtomically} while no other process of this toolkit edits the file.
 *
 * @throws as that and {@link withLock} do
 */
export async function writeLocked(path: string, content: string, options: WriteOptions): Promise<void> {
  walkDirectories(options.root, dirname(path), []);
  await withLock(path, () => writeFileAtomically(path, content, options));
}
