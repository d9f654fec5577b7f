import { devNull } from "node:os";
import { systemError } from "../base/system-error.ts";
import { displayName, repositoryRoot, withShortPaths } from "./paths.ts";
import { firstLine, runProgram } from "./run-program.ts";

/** Why git gave no answer. `outside`: the directory is in no repository; `absent`: there is no git. */
type GitFailure = "outside" | "absent" | "other";

/** What git could not do; `message` is its own first line, or ours. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly failure: GitFailure;

  readonly #advice: string;

  constructor(message: string, failure: GitFailure = "other", advice = "run `git status` there, and fix what it says") {
    super(message);
    this.failure = failure;
    this.#advice = advice;
  }

  /** What to do about it. */
  get help(): string {
    if (this.failure === "absent") return "install git";
    if (this.failure === "outside") return "run this inside a git repository";
    return this.#advice;
  }
}

/** What git says of a repository, in words of ours where its own name no way out. */
const KNOWN: readonly (readonly [said: RegExp, message: string, advice: string])[] = [
  [
    /^detected dubious ownership/,
    "the repository belongs to another user",
    'where you trust it, `git config --global --add safe.directory "$(pwd -P)"` in its root lets git read it',
  ],
  [
    /promisor remote/,
    "this clone is partial, and lacks what it was asked for",
    "`git fetch --refetch --no-filter` fetches the rest",
  ],
];

/** The first line that says why git failed; warnings may stand above it. */
function reasonIn(stderr: string): string {
  const reason = stderr.split(/\r?\n/).find((line) => /^(?:fatal|error): /.test(line));
  return (reason ?? firstLine(stderr)).replace(/^(?:fatal|error): /, "") || "git failed";
}

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Reading takes git moments; a pipe that stands in the place of one of its files keeps it for ever. */
const LIMIT_MS = 20_000;

/**
 * Before every command. A repository may come from anybody, and its own config would have git start programs: a monitor of
 * the files, hooks, a pager.
 */
const HARDENED = ["core.fsmonitor=false", `core.hooksPath=${devNull}`, "core.pager=cat"].flatMap((one) => ["-c", one]);

/**
 * Only reading commands are run: no lock, no prompt, and no fetch of what a partial clone lacks, for which the repository's
 * config names a program. Not every git knows the variable for it; each knows which protocols it may speak.
 */
const QUIET = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "",
  LC_ALL: "C",
};

/**
 * What git tells a hook, about its repository, and how a user wants paths read: a question about a directory and a path is to be
 * answered for these.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_COMMON_DIR",
  "GIT_INDEX_FILE",
  "GIT_PREFIX",
  "GIT_NAMESPACE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_GRAFT_FILE",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_SHALLOW_FILE",
  "GIT_GLOB_PATHSPECS",
  "GIT_ICASE_PATHSPECS",
  "GIT_NOGLOB_PATHSPECS",
]);

function environment(): NodeJS.ProcessEnv {
  return { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !LEFT_OUT.has(name))), ...QUIET };
}

/** Where git is asked, and until when. */
export interface Repository {
  /** Anywhere in it. */
  readonly directory: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs git in a directory, without a shell; resolves to its stdout.
 *
 * @throws {GitError} also where it gives no answer within twenty seconds
 * @throws the signal's reason once that is aborted
 */
export async function runGit({ directory, signal }: Repository, args: readonly string[], input = ""): Promise<Buffer> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const ends = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  const options = { cwd: directory, env: environment(), input, signal: ends, maxBytes: MAX_OUTPUT_BYTES };
  const run = runProgram("git", [...HARDENED, "--literal-pathspecs", ...args], options);
  const { status, stdout, stderr, isCut } = await run.catch((error: NodeJS.ErrnoException) => {
    signal?.throwIfAborted();
    if (limit.aborted) throw new GitError(`git gave no answer within ${LIMIT_MS / 1000} seconds`);
    if (error.code === "ENOENT") throw new GitError("git is not on PATH", "absent");
    const refused = systemError(error);
    if (refused === null) throw error;
    throw new GitError(`git cannot be started there (${refused.says})`, "other", refused.help);
  });
  if (isCut) throw new GitError("git printed more than is read");
  if (status === 0) return stdout;
  throw failureOf(reasonIn(stderr.toString("utf8")), directory);
}

function failureOf(said: string, directory: string): GitError {
  const [, message, advice] = KNOWN.find(([pattern]) => pattern.test(said)) ?? [];
  if (message !== undefined) return new GitError(message, "other", advice);
  if (!said.startsWith("not a git repository")) return new GitError(withShortPaths(said, directory));
  const root = repositoryRoot(directory);
  // One that may not be read, or is broken, must not pass for none.
  return root === null
    ? new GitError(said, "outside")
    : new GitError(`git takes the \`.git\` in \`${displayName(root, directory)}\` for no repository`);
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
