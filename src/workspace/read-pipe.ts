import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { inputProblem, MAX_TEXT_BYTES } from "../diagnostics/input-problem.ts";
import { fileSystemProblem, readTextFile, textOf } from "./read-file.ts";
import type { ReadOutcome } from "./text-file.ts";

/** What pipes gave in one run, by path: a pipe can be read once. */
export type PipeCache = Map<string, ReadOutcome>;

/** How long nobody may open the other end, and how long a command that did may say nothing: it may be asking its user for a fingerprint. */
const WAITS = { writerMs: 10_000, silentMs: 180_000 };

const STEP_MS = 20;

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STEP_MS);
}

/**
 * Reads an open pipe to its end, or one byte over the limit. Null where nobody writes into it in time. The pipe is open without
 * blocking, since a blocked program hears no Ctrl-C: it gives nothing both before somebody writes and after the end.
 */
function readToEnd(descriptor: number, waits: typeof WAITS): Buffer | null {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(65_536);
  let length = 0;
  let hasWriter = false;
  let deadline = Date.now() + waits.writerMs;
  while (length <= MAX_TEXT_BYTES) {
    let count: number | null = null;
    try {
      count = readSync(descriptor, chunk, 0, chunk.length, null);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
    if (count === 0 && hasWriter) break;
    if (count !== null && count > 0) {
      chunks.push(Buffer.from(chunk.subarray(0, count)));
      length += count;
    }
    if (count !== 0 && (count !== null || !hasWriter)) {
      hasWriter = true;
      deadline = Date.now() + waits.silentMs;
    }
    if (count !== null && count > 0) continue;
    if (Date.now() > deadline) return null;
    pause();
  }
  return Buffer.concat(chunks);
}

/**
 * A text file that the user named, which may also be a pipe where there is a `cache` to keep its text in: `-e <(op inject -i .env)` and the like
 * hand secrets over without a file. Whatever is no pipe is read, or refused, as any other file.
 */
export function readNamedFile(path: string, file: string, cache: PipeCache | null, waits = WAITS): ReadOutcome {
  const known = cache?.get(path);
  if (known !== undefined) return known;
  const piped = cache === null ? null : readPipe(path, file, waits);
  if (piped !== null) cache?.set(path, piped);
  const read = piped ?? readTextFile(path, file);
  if (read.problem?.rule !== "input/not-a-file") return read;
  const help = "name a regular file; a pipe is read as `-e <(…)`, as Node itself empties one that `--env-file` names";
  return { problem: { ...read.problem, help } };
}

/** Null for what is no pipe. */
function readPipe(path: string, file: string, waits: typeof WAITS): ReadOutcome | null {
  const { O_RDONLY, O_NONBLOCK = 0 } = constants;
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
    if (!fstatSync(descriptor).isFIFO()) return null;
    const bytes = readToEnd(descriptor, waits);
    if (bytes === null) {
      const help = "check that the command which writes into it runs, and ends";
      return { problem: inputProblem("unreadable", file, "the pipe did not come to its end in time", help) };
    }
    const decoded = textOf(bytes, file);
    return "problem" in decoded ? decoded : { file: { file, text: decoded.text, mode: null } };
  } catch (error) {
    return descriptor === null ? null : { problem: fileSystemProblem(error, file) };
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}
