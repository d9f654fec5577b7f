import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { GitError, runGit } from "../../src/workspace/git.ts";
import { answers } from "../support/programs.ts";
import { hangingProgram } from "../support/hanging-program.ts";
import { tempDirectory } from "./temp.ts";

const GIT = answers("git", ["--version"]);

afterEach(() => vi.unstubAllEnvs());

describe("runGit", () => {
  test.skipIf(!GIT)("gives back what git printed, byte by byte, and feeds it its input (needs git)", async () => {
    const directory = tempDirectory({ a: Buffer.from([0, 255, 10]) });
    const run = (args: readonly string[], input?: string) => runGit({ directory }, args, input);
    await run(["init", "-q"]);
    const id = (await run(["hash-object", "-w", "--stdin-paths"], "a\n")).toString("utf8").trim();
    expect(await run(["cat-file", "blob", id])).toEqual(Buffer.from([0, 255, 10]));
  });

  test.skipIf(!GIT)("says what git said (needs git)", async () => {
    await expect(runGit({ directory: tempDirectory() }, ["rev-parse", "--git-dir"])).rejects.toThrow(
      /^not a git repository/,
    );
  });

  test.skipIf(!GIT)(
    "names paths as they are read from there, and its own way out of what git refuses (needs git)",
    async () => {
      const directory = tempDirectory({ ".git/empty": "", "a/b": "" });
      const refused = { message: "git takes the `.git` in `..` for no repository" };
      await expect(runGit({ directory: join(directory, "a") }, ["status"])).rejects.toMatchObject(refused);
      // Git asks who owns the directory; this has it take any for somebody else's.
      vi.stubEnv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
      rmSync(join(directory, ".git"), { recursive: true });
      spawnSync("git", ["init", "-q"], { cwd: directory });
      await expect(runGit({ directory }, ["status"])).rejects.toMatchObject({
        message: "the repository belongs to another user",
        help: expect.stringContaining('safe.directory "$(pwd -P)"'),
      });
    },
  );

  test("says that git is not there, or cannot be started there", async () => {
    await expect(runGit({ directory: "/nowhere/at/all" }, ["version"])).rejects.toBeInstanceOf(GitError);
    vi.stubEnv("PATH", tempDirectory());
    await expect(runGit({ directory: tempDirectory() }, ["version"])).rejects.toMatchObject({ failure: "absent" });
  });

  test.skipIf(process.platform === "win32")(
    "ends a git that hangs, and what it started, when the signal is aborted",
    async () => {
      const git = hangingProgram("git");
      vi.stubEnv("PATH", git.path);
      const stop = new AbortController();
      const running = runGit({ directory: tempDirectory(), signal: stop.signal }, ["version"]);
      await git.started();
      stop.abort(new Error("enough"));
      await expect(running).rejects.toThrow("enough");
      await git.ended();
    },
  );

  test("starts nothing once it is aborted", async () => {
    vi.stubEnv("PATH", tempDirectory());
    await expect(
      runGit({ directory: tempDirectory(), signal: AbortSignal.abort(new Error("enough")) }, ["version"]),
    ).rejects.toThrow("enough");
  });
});
