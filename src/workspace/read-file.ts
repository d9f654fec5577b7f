import { isUtf8 } from "node:buffer";
import { closeSync, constants, existsSync, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { dirname, posix } from "node:path";
import { systemError } from "../base/system-error.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { inputProblem, MAX_TEXT_BYTES, tooLargeProblem } from "../diagnostics/input-problem.ts";
import { CONFIG_NAME } from "./paths.ts";
import type { ReadOutcome } from "./text-file.ts";

/** Permission bits (0o644) of what was looked at; null on Windows, which has none. */
export function permissionBits(stats: Stats): number | null {
  return process.platform === "win32" ? null : stats.mode & 0o7777;
}

/** Byte order marks of encodings that are not UTF-8, longest first since UTF-32LE starts like UTF-16LE. */
const FOREIGN_MARKS: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ["UTF-32LE", [0xff, 0xfe, 0, 0]],
  ["UTF-32BE", [0, 0, 0xfe, 0xff]],
  ["UTF-16LE", [0xff, 0xfe]],
  ["UTF-16BE", [0xfe, 0xff]],
];

/** The encoding that bytes which are not UTF-8 text seem to have; null where nothing tells. */
function foreignEncoding(bytes: Buffer): string | null {
  for (const [encoding, mark] of FOREIGN_MARKS) {
    if (mark.every((byte, at) => bytes[at] === byte)) return encoding;
  }
  // Without a mark, ASCII text in UTF-16 has a zero in every other byte.
  if (bytes.length >= 2 && bytes[0] !== 0 && bytes[1] === 0) return "UTF-16LE";
  return bytes.length >= 2 && bytes[0] === 0 && bytes[1] !== 0 ? "UTF-16BE" : null;
}

/** Bytes as text, for everything that takes input: one size limit, UTF-8 alone, a byte order mark is kept. */
export function textOf(bytes: Buffer, file: string): { text: string } | { problem: Diagnostic } {
  if (bytes.length > MAX_TEXT_BYTES) return { problem: tooLargeProblem(file) };
  const encoding = foreignEncoding(bytes);
  if (encoding !== null) {
    const help = "save the file as UTF-8; `iconv -f " + encoding + " -t UTF-8` converts it";
    return { problem: inputProblem("not-text", file, `the file is ${encoding} text, not UTF-8`, help) };
  }
  if (!isUtf8(bytes))
    return { problem: inputProblem("not-text", file, "the file is not valid UTF-8 text", "save the file as UTF-8") };
  return { text: bytes.toString("utf8") };
}

/** What to do where no deployment is. */
export const HOW_TO_HAVE_ONE = `run \`qm-deploy init\` to make a deployment, or name a directory that holds a ${CONFIG_NAME}`;

/** A finding for what the file system said; the code says more than its message, which repeats absolute paths. */
export function fileSystemProblem(error: unknown, file: string): Diagnostic {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? "unknown error";
  if (code === "ENOENT" || code === "ENOTDIR") {
    const message = "there is no such file or directory";
    // Most often nobody named it: a command that is about the deployment here was called elsewhere.
    if (posix.basename(file) === CONFIG_NAME)
      return inputProblem("missing", file, message, HOW_TO_HAVE_ONE, "qm-deploy init");
    return inputProblem("missing", file, message, "check the path; it is taken relative to the working directory");
  }
  const refused = systemError(error) ?? { says: code, help: "check its permissions" };
  return inputProblem("unreadable", file, `the file cannot be read (${refused.says})`, refused.help);
}

/** Reads from an open file until its end (that is where its size said), or one byte over the limit. */
function readLimited(descriptor: number, expected: number, limit: number): Buffer {
  let buffer = Buffer.allocUnsafe(Math.min(expected, limit) + 1);
  let length = 0;
  for (;;) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
    if (length > limit || length === expected) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(buffer.length * 2, limit + 1));
  }
}

/**
 * The one place that opens files for reading. Pipes and devices are refused, since reading them may block; `limit` bytes
 * are read at most, and one more where there are more. A final link is followed unless `followsLink` is false.
 *
 * @throws file system errors; with `followsLink` false also for a link
 */
export function readRegularFile(
  path: string,
  { limit = MAX_TEXT_BYTES, followsLink = true }: { readonly limit?: number; readonly followsLink?: boolean } = {},
): { readonly bytes: Buffer; readonly stats: Stats } | { readonly notFile: "a directory" | "no regular file" } {
  // Windows has neither flag.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW));
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return { notFile: stats.isDirectory() ? "a directory" : "no regular file" };
    return { bytes: readLimited(descriptor, stats.size, limit), stats };
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a text file; `file` is the name that reports show. Links are followed, since mounted configuration is often linked. */
export function readTextFile(path: string, file: string): ReadOutcome {
  try {
    const read = readRegularFile(path);
    if ("notFile" in read)
      return { problem: inputProblem("not-a-file", file, `the path is ${read.notFile}`, "name a regular file") };
    const decoded = textOf(read.bytes, file);
    if ("problem" in decoded) return decoded;
    return { file: { file, text: decoded.text, mode: permissionBits(read.stats) } };
  } catch (error) {
    return { problem: fileSystemProblem(error, file) };
  }
}

/** As {@link readTextFile}, for files that need not be there: null then. Most are not, and an error with its stack costs more than asking. */
export function readOptionalTextFile(path: string, file: string): ReadOutcome | null {
  let isThere: boolean;
  try {
    isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    isThere = true;
  }
  return isThere ? readTextFile(path, file) : null;
}

/** What a path leads to once links are followed; null where nothing is, or where it may not be looked at. */
export function kindAt(path: string): "file" | "directory" | "other" | null {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    return stats.isFile() ? "file" : stats.isDirectory() ? "directory" : "other";
  } catch {
    return null;
  }
}

/** A directory, or the nearest one above it that is there. */
export function nearestExisting(directory: string): string {
  return existsSync(directory) || dirname(directory) === directory ? directory : nearestExisting(dirname(directory));
}
