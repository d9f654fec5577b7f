/** Builds the sources twice, which takes too long for `npm test`. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plainEnv, ROOT } from "../cli/built.ts";
import { linkPackages } from "../extension/copy.ts";
import { commitAll, git } from "../support/git.ts";

/** What docs/releasing.md tells to run for a tag. */
const STEPS = /^ {3}```sh\n([^]*?)^ {3}```$/m.exec(readFileSync(join(ROOT, "docs/releasing.md"), "utf8"))?.[1] ?? "";

/** A checkout of its own, with what this one has. */
function checkout(directory: string): string {
  const files = git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate");
  for (const path of files.split("\0").filter((each) => each !== ""))
    cpSync(join(ROOT, path), join(directory, path), { recursive: true });
  commitAll(directory);
  linkPackages(join(ROOT, "node_modules"), join(directory, "node_modules"));
  return directory;
}

/** Follows the page in a checkout; mode, digest and path of every file of the tag. */
function release(directory: string, umask: string): string[] {
  const env = plainEnv({
    GIT_AUTHOR_NAME: "t",
    GIT_AUTHOR_EMAIL: "t@t.dev",
    GIT_COMMITTER_NAME: "t",
    GIT_COMMITTER_EMAIL: "t@t.dev",
  });
  const script = `umask ${umask}\n${STEPS.replaceAll(/^ {3}/gm, "")}`;
  const done = spawnSync("bash", ["--norc", "-euo", "pipefail", "-c", script], {
    cwd: directory,
    env,
    encoding: "utf8",
  });
  expect(done.status, done.stdout + done.stderr).toBe(0);
  expect(git(directory, "status", "--porcelain"), "the checkout is as it was").toBe("");
  return git(directory, "ls-tree", "-r", "v0.1.0").split("\n");
}

test.skipIf(process.platform === "win32")(
  "the page's own steps make the same tree from two checkouts of a commit",
  () => {
    // Too much to remove within the time that a hook has.
    const place = realpathSync(mkdtempSync(join(tmpdir(), "qm-deploy-same-")));
    try {
      const [one, other] = [checkout(join(place, "a")), checkout(join(place, "another-place/further-below"))];
      const [files, others] = [release(one, "022"), release(other, "077")];
      // V8 writes a few bytes of its cache by where things lie in memory, which a longer path moves.
      const isCache = (file: string): boolean => file.includes("\tdist/cache/");
      expect(files.filter((file) => !isCache(file))).toEqual(others.filter((file) => !isCache(file)));
      const pathOf = (file: string): string => file.replace(/^.*\t/, "");
      expect(files.map(pathOf)).toEqual(others.map(pathOf));
      expect(files).toContainEqual(expect.stringMatching(/^100755 blob \w+\tdist\/bin\/qm-deploy\.cjs$/));
      expect(files.some(isCache)).toBe(true);
      expect(git(one, "log", "--format=%s", "v0.1.0")).toMatch(/^qm-deploy 0\.1\.0, made from [0-9a-f]{40}$/);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  },
);
