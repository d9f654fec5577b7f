import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { inputProblem } from "./input-problem.ts";

/** Text files above this many bytes are not read. */
export const MAX_TEXT_BYTES = 1024 * 1024;

/** A text file as read. */
export interface TextFile {
  readonly text: string;
  /** Permission bits (0o644); null on Windows. */
  readonly mode: number | null;
}

export type ReadOutcome =
  { readonly file: TextFile; readonly problem?: never } | { readonly file?: never; readonly problem: Diagnostic };

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

/** Decodes UTF-8, keeping a byte order mark; a problem where the bytes are something else. */
export function decodeText(bytes: Buffer, file: string): { text: string } | { problem: Diagnostic } {
  const encoding = foreignEncoding(bytes);
  if (encoding !== null) {
    const help = "save the file as UTF-8; `iconv -f " + encoding + " -t UTF-8` converts it";
    return { problem: inputProblem("not-text", file, `the file is ${encoding} text, not UTF-8`, help) };
  }
  if (!isUtf8(bytes)) {
    return { problem: inputProblem("not-text", file, "the file is not valid UTF-8 text", "save the file as UTF-8") };
  }
  return { text: bytes.toString("utf8") };
}

function missing(file: string): Diagnostic {
  return inputProblem(
    "missing",
    file,
    "there is no such file or directory",
    "check the path; it is taken relative to the working directory",
  );
}

/** A finding for what the file system said; the code says more than its message, which repeats absolute paths. */
export function fileSystemProblem(error: unknown, file: string): Diagnostic {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? "unknown error";
  if (code === "ENOENT" || code === "ENOTDIR") return missing(file);
  return inputProblem(
    "unreadable",
    file,
    `the file cannot be read (${code})`,
    "check its permissions and those of the directories above it",
  );
}

/** Bytes as text, for everything that takes input: one size limit, one set of encodings. */
export function textOf(bytes: Buffer, file: string): { text: string } | { problem: Diagnostic } {
  if (bytes.length <= MAX_TEXT_BYTES) return decodeText(bytes, file);
  return {
    problem: inputProblem(
      "too-large",
      file,
      "the file is larger than 1 MiB",
      "a config or an env file is far smaller; check that the path is right",
    ),
  };
}

/** Reads from an open file until its end (that is where its size said), or one byte over the limit. */
function readLimited(descriptor: number, expected: number): Buffer {
  let buffer = Buffer.allocUnsafe(Math.min(expected, MAX_TEXT_BYTES) + 1);
  let length = 0;
  for (;;) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
    if (length > MAX_TEXT_BYTES || length === expected) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(buffer.length * 2, MAX_TEXT_BYTES + 1));
  }
}

/**
 * Reads a text file; `file` is the name that reports show. Links are followed, since mounted configuration is often
 * linked; pipes and devices are refused, since opening them may block.
 */
export function readTextFile(path: string, file: string): ReadOutcome {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return { problem: fileSystemProblem(error, file) };
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) {
      const what = stats.isDirectory() ? "a directory" : "no regular file";
      return { problem: inputProblem("not-a-file", file, `the path is ${what}`, "name a regular file") };
    }
    const read = textOf(readLimited(descriptor, stats.size), file);
    if ("problem" in read) return read;
    return { file: { text: read.text, mode: process.platform === "win32" ? null : stats.mode & 0o7777 } };
  } catch (error) {
    return { problem: fileSystemProblem(error, file) };
  } finally {
    closeSync(descriptor);
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
