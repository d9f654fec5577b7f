import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { killGroup, OWN_GROUP } from "./kill-group.ts";

/** What git could not do; `message` is its own first line, or ours. */
export class GitError extends Error {
  override readonly name = "GitError";
  /** True where git itself is not there. */
  readonly isAbsent: boolean;

  constructor(message: string, isAbsent: boolean) {
    super(message);
    this.isAbsent = isAbsent;
  }
}

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Only reading commands are run: no lock, no prompt, no fetch from a remote on the way. */
const QUIET = { GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", GIT_NO_LAZY_FETCH: "1", LC_ALL: "C" };

/** Where git is asked, and until when. */
export interface Repository {
  /** Anywhere in it. */
  readonly directory: string;
  /** Ends git, and what it started, when aborted. */
  readonly signal?: AbortSignal | undefined;
}

type Git = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Runs git in a directory, without a shell; resolves to its stdout.
 *
 * @throws {GitError}
 * @throws the signal's reason once that is aborted
 */
export function runGit({ directory, signal }: Repository, args: readonly string[], input = ""): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const git = start(directory, args);
    const give = (outcome: () => void): void => {
      signal?.removeEventListener("abort", abort);
      outcome();
    };
    const stop = (error: unknown): void => {
      killGroup(git);
      // Who outlives git may hold its streams for ever.
      for (const stream of [git.stdin, git.stdout, git.stderr]) stream.destroy();
      give(() => reject(error));
    };
    const abort = (): void => stop(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    const stdout = collect(git.stdout, () => stop(new GitError("git printed more than is read", false)));
    const stderr = collect(git.stderr, () => git.stderr.destroy());
    git.on("error", (error: NodeJS.ErrnoException) => give(() => reject(notStarted(error))));
    git.on("close", (status) =>
      give(() => (status === 0 ? resolve(stdout()) : reject(new GitError(firstLine(stderr()), false)))),
    );
    // git may end before it has read its input; how it ended says what went wrong.
    git.stdin.on("error", () => undefined);
    git.stdin.end(input);
  });
}

function start(directory: string, args: readonly string[]): Git {
  try {
    return spawn("git", ["--literal-pathspecs", ...args], {
      ...OWN_GROUP,
      cwd: directory,
      env: { ...process.env, ...QUIET },
      stdio: ["pipe", "pipe", "pipe"],
    });
  } catch (error) {
    // A file in the directory's place, or one that may not be entered: the start itself throws, and calls nothing back.
    throw notStarted(error as NodeJS.ErrnoException);
  }
}

function notStarted({ code }: NodeJS.ErrnoException): GitError {
  return code === "ENOENT"
    ? new GitError("git is not on PATH", true)
    : new GitError(`git cannot be started there (${code ?? "unknown error"})`, false);
}

/** Reads a stream until it ends; `tooMuch` is called once it has more than is kept. */
function collect(stream: Readable, tooMuch: () => void): () => Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_OUTPUT_BYTES) tooMuch();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks);
}

function firstLine(said: Buffer): string {
  return (
    said
      .toString("utf8")
      .split("\n")[0]
      ?.replace(/^fatal: /, "") || "git failed"
  );
}
