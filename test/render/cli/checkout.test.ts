import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plainEnv } from "../../cli/built.ts";
import { runInProcess } from "../../cli/in-process.ts";
import { soundConfig } from "../../cli/deployments.ts";
import { tempDirectory } from "../../workspace/temp.ts";

const HAS_GIT = spawnSync("git", ["--version"]).status === 0;
const IDENTITY = ["-c", "user.name=a", "-c", "user.email=a@b.dev"];

function git(cwd: string, ...args: readonly string[]): string {
  const env = plainEnv({ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" });
  return spawnSync("git", [...IDENTITY, ...args], { cwd, env, encoding: "utf8" }).stdout;
}

/** Renders a deployment, commits all that git takes, and clones it. */
async function clone(gitignore: string, ...options: readonly string[]): Promise<string> {
  const root = tempDirectory({ "a/qm.config.jsonc": soundConfig(), "a/.gitignore": gitignore });
  const cwd = join(root, "a");
  expect((await runInProcess(["render"], { cwd })).status).toBe(0);
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-qm", "x"],
    ["clone", "-q", ...options, ".", "../b"],
  ])
    git(cwd, ...args);
  return join(root, "b");
}

test.skipIf(!HAS_GIT)(
  "a checkout with CRLF line ends is no drift, and render rewrites nothing in it (needs git)",
  async () => {
    const cwd = await clone(".env\n", "-c", "core.autocrlf=true");
    const path = join(cwd, "rendered/docker/core.env");
    const checkedOut = readFileSync(path, "utf8");
    expect(checkedOut).toContain("\r\n");
    expect(await runInProcess(["render", "--check"], { cwd })).toMatchObject({ status: 0, stderr: "" });
    expect((await runInProcess(["render"], { cwd })).stdout).toMatch(/all as they were/);
    expect(readFileSync(path, "utf8")).toBe(checkedOut);

    // A change of content is one, and shows alone.
    writeFileSync(path, checkedOut.replace("acme1", "acme2"));
    const { status, stdout } = await runInProcess(["render", "--check"], { cwd });
    expect(status).toBe(1);
    expect(stdout.split("\n").filter((line) => /^[-+](?![-+])/.test(line))).toHaveLength(2);
    expect((await runInProcess(["render"], { cwd })).stdout).toMatch(
      /^changed +rendered\/docker\/core\.env \(was edited by hand/m,
    );
  },
);

test
  .skipIf(!HAS_GIT)
  .each([
    ".env\n*.env\n",
    ".env*\n",
    "*.env\n*.tfvars\n*.json\n",
    "*\n!.gitignore\n!qm.config.jsonc\n!rendered/\n!rendered/*/\n",
  ])("what a .gitignore above hides (%j) is committed all the same, but for secrets (needs git)", async (gitignore) => {
  const cwd = await clone(gitignore);
  expect(await runInProcess(["render", "--check"], { cwd })).toMatchObject({ status: 0, stderr: "" });
  for (const name of ["core.secrets.env", ".render-0123456789abcdef.tmp/new/x", ".manifest.json.lock"])
    expect(git(cwd, "check-ignore", `rendered/docker/${name}`), name).toContain(name);
});
