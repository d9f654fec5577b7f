import { closeSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { grpcError } from "./errors.ts";
import { normalize } from "node:path/posix";
import { GUEST_HOME, hostPath, type PathMap } from "./remap.ts";
import { refuse } from "./validate.ts";

/** One gRPC message that is sent to boxd. */
export const MESSAGE_CAP = 4_194_304;
const FRAMING = 5;

/** What a message that is larger than its receiver takes is answered with. */
export function tooLarge(size: number): Error {
  return grpcError(8, `Received message larger than max (${String(size)} vs ${String(MESSAGE_CAP)})`);
}

/**
 * Writes in place, as user `boxd`: not atomic, mode 0644 when the file is new and unchanged when it is not, parents are not made. A file that does
 * not fit into `cap` with its framing is refused (`Quirks.fileCap`). Answers the number of bytes written.
 */
export function uploadFile(map: PathMap, path: string, source: Uint8Array, cap: number): number {
  const real = realPath(path, map);
  checkFits(source.length, cap);
  const fd = reaching(path, () => openSync(real, "w", 0o644));
  try {
    for (let done = 0; done < source.length;) done += writeSync(fd, source, done);
  } finally {
    closeSync(fd);
  }
  return source.length;
}

/** The whole file, as a view into a larger buffer. */
export function downloadFile(map: PathMap, path: string, cap: number): Uint8Array {
  const real = realPath(path, map);
  const info = reaching(path, () => statSync(real));
  if (info.isDirectory()) throw grpcError(13, `read '${path}': is a directory`);
  checkFits(info.size, cap);
  const data = readFileSync(real);
  const larger = new Uint8Array(data.length + 16).fill(0xee);
  larger.set(data, 8);
  return larger.subarray(8, 8 + data.length);
}

/** Files go to the machine user's home and /tmp only; the rest of the real disk is not the machine's. */
export function realPath(path: string, map: PathMap): string {
  if (!path.startsWith("/")) refuse(`path '${path}' must be absolute`);
  if (path.includes("\0")) refuse("path holds a NUL");
  const clean = normalize(path);
  const inside = [GUEST_HOME, "/tmp"].some((root) => clean === root || clean.startsWith(`${root}/`));
  if (!inside) throw grpcError(7, `open '${path}': Permission denied`);
  return hostPath(clean, map);
}

function checkFits(size: number, cap: number): void {
  const framed = size + FRAMING;
  if (framed > cap) throw tooLarge(framed);
}

/** File system errors as the agent words them. */
export function reaching<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw grpcError(5, `stat: cannot statx '${path}': No such file or directory`);
    if (code === "ENOTDIR") throw grpcError(13, `open '${path}': Not a directory`);
    if (code === "EEXIST") throw grpcError(6, `mkdir '${path}': File exists`);
    if (code === "EISDIR") throw grpcError(13, `open '${path}': Is a directory`);
    throw grpcError(13, `open '${path}': ${String(code)}`);
  }
}
