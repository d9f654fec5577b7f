import { cpSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { reaching, realPath } from "./files.ts";
import type { PathMap } from "./remap.ts";

/** An entry of a directory, as `ListDir` answers it. */
export interface DirEntry {
  readonly name: string;
  readonly isDir: boolean;
  readonly sizeBytes: number;
  /** as `ls` writes it */
  readonly permissions: string;
  readonly modifiedAt: Date;
}

/** Entries that one listing shows at most. */
const MOST_ENTRIES = 1_000;

export function listDir(map: PathMap, path: string): { entries: DirEntry[]; truncated: boolean } {
  const real = realPath(path, map);
  const names = reaching(path, () => readdirSync(real));
  const entries = names.slice(0, MOST_ENTRIES).map((name) => {
    const info = lstatSync(join(real, name));
    const isDir = info.isDirectory();
    return { name, isDir, sizeBytes: info.size, permissions: modeText(isDir, info.mode), modifiedAt: info.mtime };
  });
  return { entries, truncated: names.length > MOST_ENTRIES };
}

/** The parent must be there. */
export function makeDir(map: PathMap, path: string): void {
  const real = realPath(path, map);
  reaching(path, () => mkdirSync(real));
}

/** A directory goes with everything in it. */
export function deletePath(map: PathMap, path: string): void {
  const real = realPath(path, map);
  reaching(path, () => {
    lstatSync(real);
    rmSync(real, { recursive: true });
  });
}

export function renamePath(map: PathMap, from: string, to: string): void {
  const [old, next] = [realPath(from, map), realPath(to, map)];
  reaching(from, () => {
    renameSync(old, next);
  });
}

/** A directory is copied with everything in it. */
export function copyPath(map: PathMap, from: string, to: string): void {
  const [old, next] = [realPath(from, map), realPath(to, map)];
  reaching(from, () => {
    cpSync(old, next, { recursive: true, verbatimSymlinks: true });
  });
}

function modeText(isDir: boolean, mode: number): string {
  const bits = [...(mode & 0o777).toString(2).padStart(9, "0")];
  return (isDir ? "d" : "-") + bits.map((bit, place) => (bit === "1" ? "rwx"[place % 3] : "-")).join("");
}
