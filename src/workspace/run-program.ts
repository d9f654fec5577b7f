import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { killGroup, OWN_GROUP } from "./kill-group.ts";

/** How a program ended. `absent`: it is not on PATH. `status` is null for one that could not be started or was killed. */
export type ProgramResult =
  | { readonly kind: "absent" }
  | { readonly kind: "ended"; readonly status: number | null; readonly stdout: string; readonly stderr: string };

/** What is kept of each stream; the rest is read and dropped, so that a program is not held up by what it prints. */
const MAX_KEPT_BYTES = 64 * 1024;
/** A process that a program leaves behind may hold its streams for ever; they count as ended this many milliseconds after the program. */
const DRAIN_MS = 500;

/**
 * Runs a program without a shell and without stdin, for what it prints. When the signal is aborted, the program and what it started are killed and nothing of
 * it keeps this process alive.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
  cwd?: string,
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...OWN_GROUP, cwd, stdio: ["ignore", "pipe", "pipe"] });
    const stdout = keepStart(child.stdout);
    const stderr = keepStart(child.stderr);
    let drain: NodeJS.Timeout | undefined;
    const settle = (result: ProgramResult): void => {
      clearTimeout(drain);
      child.removeAllListeners("exit");
      signal.removeEventListener("abort", kill);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(result);
    };
    const ended = (status: number | null, said = stderr()): void =>
      settle({ kind: "ended", status, stdout: stdout(), stderr: said });
    const kill = (): void => {
      killGroup(child);
      ended(null);
    };
    if (signal.aborted) kill();
    else signal.addEventListener("abort", kill, { once: true });
    child.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "ENOENT" ? settle({ kind: "absent" }) : ended(null, error.code ?? error.name),
    );
    child.on("exit", (status) => (drain = setTimeout(() => ended(status), DRAIN_MS)));
    child.on("close", (status) => ended(status));
  });
}

/** Collects the beginning of a stream; the function answers what has come so far. */
function keepStart(stream: Readable): () => string {
  const chunks: Buffer[] = [];
  let kept = 0;
  stream.on("data", (chunk: Buffer) => {
    const part = chunk.subarray(0, MAX_KEPT_BYTES - kept);
    kept += part.length;
    if (part.length > 0) chunks.push(part);
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

/** The first line of a text that has one with anything on it, for reports. */
export function firstLine(text: string): string {
  return text.trim().split(/[\r\n]/, 1)[0] ?? "";
}
