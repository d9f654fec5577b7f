import { type ChildProcess, execFile } from "node:child_process";

/** What git could not do; `message` is its own first line, or ours. */
export class GitFailed extends Error {
  override readonly name = "GitFailed";
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

/**
 * Runs git in a directory, without a shell; resolves to its stdout.
 *
 * @throws {GitFailed}
 */
export function runGit(directory: string, args: readonly string[], input = ""): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { cwd: directory, env: { ...process.env, ...QUIET }, encoding: "buffer", maxBuffer: MAX_OUTPUT_BYTES } as const;
    let child: ChildProcess;
    try {
      child = execFile("git", ["--literal-pathspecs", ...args], options, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else if (error.code === "ENOENT") reject(new GitFailed("git is not on PATH", true));
        else reject(new GitFailed(stderr.toString("utf8").split("\n")[0]?.replace(/^fatal: /, "") || "git failed", false));
      });
    } catch (error) {
      // A file in the directory's place, or one that may not be entered: the start itself throws, and calls nothing back.
      reject(new GitFailed(`git cannot be started there (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`, false));
      return;
    }
    // git may end before it has read its input; how it ended says what went wrong.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}
