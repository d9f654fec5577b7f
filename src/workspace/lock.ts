import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { WriteRefused } from "./write.ts";

const PATIENCE_MS = 10_000;
const RETRY_MS = 20;

function lockPath(file: string): string {
  return join(dirname(file), `.${basename(file)}.lock`);
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** True when the process that a lock names ran on this host and is gone. */
function isStale(holder: string): boolean {
  const [host, pid] = holder.split(" ");
  if (host !== hostname() || !/^\d+$/.test(pid ?? "")) return false;
  try {
    process.kill(Number(pid), 0);
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
    if (readOrNull(aside) !== holder) linkSync(aside, lock);
    unlinkSync(aside);
  } catch {
    // Somebody else was faster; the next attempt sees what is there now.
  }
}

function tryLock(lock: string, holder: string): boolean {
  try {
    writeFileSync(lock, holder, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Runs `work` while no other process of this toolkit edits `file`, so that two edits never lose each other's.
 *
 * @throws {WriteRefused} when another process keeps the lock for ten seconds
 */
export async function withLock<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  const lock = lockPath(file);
  const holder = `${hostname()} ${process.pid} ${randomBytes(6).toString("hex")}`;
  const deadline = Date.now() + PATIENCE_MS;
  while (!tryLock(lock, holder)) {
    const other = readOrNull(lock);
    if (other !== null && isStale(other)) breakStale(lock, other);
    else if (Date.now() > deadline) throw new WriteRefused(`another process is editing \`${file}\`; if none is, remove \`${lock}\``);
    else await sleep(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    if (readOrNull(lock) === holder) unlinkSync(lock);
  }
}
