import { type ChildProcess, spawn } from "node:child_process";
import { delimiter, isAbsolute, join, parse } from "node:path";
import type { Readable, Writable } from "node:stream";

/** How to run a program. */
export interface ProgramOptions {
  readonly cwd?: string | undefined;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  /** Kills the program, and what it started, when aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Bytes that are kept of each stream; the rest is read and dropped, so that a program is not held up by what it prints. */
  readonly maxBytes: number;
  /**
   * Milliseconds after the end of the program at which its streams count as ended: a process that it leaves behind may hold
   * them for ever. Without it they are read to their end, so that nothing is lost.
   */
  readonly drainMs?: number;
}

/** How a program ended. `status` is null for one that a signal ended. */
export interface ProgramResult {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** True where stdout had more than was kept. */
  readonly isCut: boolean;
}

/** A directory that no system has. */
const NOWHERE = join(parse(process.execPath).root, "nonexistent");

/** An environment in which a program is found by absolute paths alone: what is in the working directory may be anybody's. */
export function safePath(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const name = Object.keys(env).find((one) => one.toUpperCase() === "PATH");
  if (name === undefined) return env;
  const absolute = env[name]?.split(delimiter).filter(isAbsolute) ?? [];
  // The system takes an empty PATH for the working directory.
  return { ...env, [name]: absolute.length === 0 ? NOWHERE : absolute.join(delimiter) };
}

/**
 * Runs a program without a shell, for what it prints.
 *
 * @throws what the system said where it cannot be started (`code` ENOENT: it is not on PATH)
 * @throws the signal's reason once that is aborted
 */
export function runProgram(program: string, args: readonly string[], options: ProgramOptions): Promise<ProgramResult> {
  const { cwd, env = process.env, input = "", signal, maxBytes, drainMs } = options;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    // In a group of its own, so that what it starts goes with it. Windows has no groups and would open a window.
    const group = { detached: process.platform !== "win32", windowsHide: true };
    // The start itself throws where a file stands in the place of the directory, and calls nothing back.
    const child = spawn(program, args, { ...group, cwd, env: safePath(env), stdio: ["pipe", "pipe", "pipe"] });
    // Where too many files are open there are no streams, and the error comes later.
    if ((child.stdin as Writable | undefined) === undefined) return void child.on("error", reject);
    const stdout = keepStart(child.stdout, maxBytes);
    const stderr = keepStart(child.stderr, maxBytes);
    let drain: NodeJS.Timeout | undefined;
    const settle = (outcome: () => void): void => {
      clearTimeout(drain);
      child.removeAllListeners("exit");
      signal?.removeEventListener("abort", abort);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      outcome();
    };
    const abort = (): void => {
      killGroup(child);
      settle(() => reject(signal?.reason));
    };
    const end = (status: number | null): void =>
      settle(() => resolve({ status, stdout: stdout.kept(), stderr: stderr.kept(), isCut: stdout.isCut() }));
    signal?.addEventListener("abort", abort, { once: true });
    child.on("error", (error) => settle(() => reject(error)));
    if (drainMs !== undefined) child.on("exit", (status) => (drain = setTimeout(() => end(status), drainMs)));
    child.on("close", end);
    // A program may end before it has read its input; how it ended says what went wrong.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

/** Reads a stream to its end, and keeps its beginning. */
function keepStart(stream: Readable, maxBytes: number): { kept: () => Buffer; isCut: () => boolean } {
  const chunks: Buffer[] = [];
  let room = maxBytes;
  let isCut = false;
  stream.on("data", (chunk: Buffer) => {
    const part = chunk.subarray(0, room);
    room -= part.length;
    isCut ||= part.length < chunk.length;
    if (part.length > 0) chunks.push(part);
  });
  return { kept: () => Buffer.concat(chunks), isCut: () => isCut };
}

/** The first line of a text that has one with anything on it, for reports. */
export function firstLine(text: string): string {
  return text.trim().split(/[\r\n]/, 1)[0] ?? "";
}
