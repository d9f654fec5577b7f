import { firstLine, runProgram } from "./run-program.ts";

/** What git could not do; `message` is its own first line, or ours. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly isAbsent: boolean;

  constructor(message: string, isAbsent = false) {
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
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs git in a directory, without a shell; resolves to its stdout.
 *
 * @throws {GitError}
 * @throws the signal's reason once that is aborted
 */
export async function runGit({ directory, signal }: Repository, args: readonly string[], input = ""): Promise<Buffer> {
  const env = { ...process.env, ...QUIET };
  const options = { cwd: directory, env, input, signal, maxBytes: MAX_OUTPUT_BYTES };
  const run = runProgram("git", ["--literal-pathspecs", ...args], options);
  const { status, stdout, stderr, isCut } = await run.catch((error: NodeJS.ErrnoException) => {
    signal?.throwIfAborted();
    if (error.code === "ENOENT") throw new GitError("git is not on PATH", true);
    throw new GitError(`git cannot be started there (${error.code ?? "unknown error"})`);
  });
  if (isCut) throw new GitError("git printed more than is read");
  if (status === 0) return stdout;
  throw new GitError(firstLine(stderr.toString("utf8")).replace(/^fatal: /, "") || "git failed");
}

/** What git printed in words, without the blanks around it. */
export async function askGit(repository: Repository, args: readonly string[]): Promise<string> {
  return (await runGit(repository, args)).toString("utf8").trim();
}

/** The objects that names stand for (ids, `HEAD:path`) with their content, in their order; null where there is none. */
export async function readObjects(
  repository: Repository,
  names: readonly string[],
): Promise<({ readonly id: string; readonly type: string; readonly content: Buffer } | null)[]> {
  if (names.length === 0) return [];
  // A name is a line of the question: one with a line end in it names nothing, and is asked as what cannot be there.
  const lines = names.map((name) => `${/[\0\n\r]/.test(name) ? ":" : name}\n`);
  const output = await runGit(repository, ["cat-file", "--batch"], lines.join(""));
  let at = 0;
  return names.map(() => {
    const end = output.indexOf(10, at);
    const [, id = "", type = "", size] =
      /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(output.toString("latin1", at, end)) ?? [];
    at = end + 1;
    if (size === undefined) return null;
    const content = output.subarray(at, at + Number(size));
    at += content.length + 1;
    return { id, type, content };
  });
}

/** An entry of a tree object; `path` is relative to it. */
export interface GitEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly id: string;
  /** Bytes of a blob; 0 for others. */
  readonly size: number;
}

/** The entries of a tree object (by id): its own, or with `deep` all below it. */
export async function listTree(repository: Repository, tree: string, deep: boolean): Promise<GitEntry[]> {
  const output = await runGit(repository, ["ls-tree", "--full-tree", ...(deep ? ["-r", "-t"] : []), "-z", "-l", tree]);
  const lines = output.toString("utf8").split("\0");
  return lines.flatMap((line) => {
    const [, mode = "", type = "", id = "", size, path = ""] =
      /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(line) ?? [];
    return size === undefined ? [] : [{ mode, type, id, size: size === "-" ? 0 : Number(size), path }];
  });
}
