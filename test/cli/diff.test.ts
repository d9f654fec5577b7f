import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadDeployment } from "../../src/workspace/load-deployment.ts";
import { loadRevision, readRevisionName } from "../../src/workspace/git-revision.ts";
import { git } from "../support/git.ts";
import { addFiles, tempDirectory } from "../workspace/temp.ts";
import { runCli } from "./built.ts";
import { runInProcess } from "./in-process.ts";
import { soundConfig } from "./deployments.ts";

const NAME = "qm.config.jsonc";
const SPRITES = soundConfig({ sandbox: { backend: "sprites", app: "acme" } });
const GIT = spawnSync("git", ["--version"]).status === 0;

/** A repository with a deployment below `deployments/acme`, committed, and then changed to boxd. */
function repository(): string {
  const root = tempDirectory({
    [`deployments/acme/${NAME}`]: SPRITES,
    "deployments/acme/sandbox/tools/t/tool.json": '{ "id": "t" }',
    "deployments/acme/sandbox/tools/t/bin": Buffer.from([0x7f, 0, 1]),
    "deployments/acme/plugins/p/Dockerfile": "FROM x\n",
    "deployments/acme/skills/s/SKILL.md": "# s\n",
    "package.json": JSON.stringify({ name: "fleet", devDependencies: { "@yc-software/qm": "0.1.12" } }),
  });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "one");
  writeFileSync(join(root, "deployments/acme", NAME), soundConfig());
  return root;
}

describe("diff of directories and files", () => {
  test("a name that is neither a path nor a revision is missing", async () => {
    const { status, stderr } = await runInProcess(["diff", "HEAD"], { cwd: tempDirectory({ [NAME]: soundConfig() }) });
    expect(status).toBe(2);
    expect(stderr).toContain("no git revision of this name has a deployment here either");
  });

  test("alone it compares with what was committed last, as `HEAD:` and `HEAD` do", async () => {
    const cwd = join(repository(), "deployments/acme");
    const [alone, named, short] = await Promise.all(
      [["diff"], ["diff", "HEAD:"], ["diff", "HEAD"]].map((argv) => runInProcess(argv, { cwd })),
    );
    expect([alone?.status, alone?.stderr]).toEqual([0, ""]);
    expect(alone?.stdout).toContain("~ SANDBOX_BACKEND=sprites -> boxd");
    expect(alone?.stdout).toBe(named?.stdout);
    expect(short?.stdout.replaceAll("HEAD", "HEAD:")).toBe(alone?.stdout);
    const outside = await runInProcess(["diff"], { cwd: tempDirectory({ [NAME]: soundConfig() }) });
    expect([outside.status, outside.stdout]).toEqual([2, ""]);
  });

  test("is text, one JSON object or Markdown, and ends with 0 unless asked otherwise", async () => {
    const cwd = tempDirectory({ [`a/${NAME}`]: SPRITES, [`b/${NAME}`]: soundConfig() });
    const text = await runInProcess(["diff", "a", "b"], { cwd });
    expect([text.status, text.stderr]).toEqual([0, ""]);
    expect(text.stdout).toContain("~ SANDBOX_BACKEND=sprites -> boxd");
    expect(text.stdout).toMatch(/\d+\. \[x\] remove `sandbox\.app`/);
    const object = JSON.parse((await runInProcess(["diff", `a/${NAME}`, "b", "--format", "json"], { cwd })).stdout);
    expect(object).toMatchObject({ version: 1, same: false, from: { backend: "sprites" }, to: { backend: "boxd" } });
    expect((await runInProcess(["diff", "a", "b", "--format", "github"], { cwd })).stdout).toContain(
      "- [x] remove `sandbox.app`",
    );
    expect((await runInProcess(["diff", "a", "b", "--exit-code"], { cwd })).status).toBe(1);
  });

  test("takes a release for each side", async () => {
    const cwd = tempDirectory({
      [NAME]: soundConfig(),
      "package.json": '{ "devDependencies": { "@yc-software/qm": "0.1.12" } }',
    });
    const releases = async (...argv: readonly string[]): Promise<string[]> => {
      const { from, to } = JSON.parse(
        (await runInProcess(["diff", ".", ".", "--format", "json", ...argv], { cwd })).stdout,
      );
      return [from.release, to.release];
    };
    expect(await releases("--from-release", "0.1.6")).toEqual(["0.1.6", "0.1.12"]);
    expect(await releases("--to-release", "0.1.6")).toEqual(["0.1.12", "0.1.6"]);
    expect(await releases("--release", "0.1.6")).toEqual(["0.1.6", "0.1.6"]);
    expect(await releases("--release", "0.1.6", "--to-release", "0.1.12")).toEqual(["0.1.6", "0.1.12"]);
  });

  test("of one to itself is nothing; the second is the working directory where it is not named", async () => {
    const cwd = tempDirectory({ [NAME]: soundConfig(), [`a/${NAME}`]: soundConfig() });
    const { status, stdout } = await runInProcess(["diff", "a", "--exit-code"], { cwd });
    expect(status).toBe(0);
    expect(stdout).toContain("nothing changes");
  });

  test("a side that is not there ends with 2, as data for programs", async () => {
    const cwd = tempDirectory({ [NAME]: soundConfig() });
    expect((await runInProcess(["diff", "none"], { cwd })).status).toBe(2);
    const json = await runInProcess(["diff", "none", "--format", "json"], { cwd });
    expect(json.status).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({ version: 1, ok: false });
  });
});

describe.skipIf(!GIT)("diff of git revisions (needs git)", () => {
  test.each([
    ["from the deployment itself", "deployments/acme", ["HEAD:"]],
    ["from the root, beside the other side", ".", ["HEAD:", "deployments/acme"]],
    ["by a path from the root", ".", ["main:deployments/acme", "deployments/acme"]],
    ["by a path from here", "deployments", ["HEAD:./acme", "acme"]],
    ["by a config file", ".", [`HEAD:deployments/acme/${NAME}`, "deployments/acme"]],
  ])("%s", async (_, below, args) => {
    const { status, stdout } = await runInProcess(["diff", ...args], { cwd: join(repository(), below) });
    expect(status).toBe(0);
    expect(stdout).toContain("~ SANDBOX_BACKEND=sprites -> boxd");
    expect(stdout).toContain("qm 0.1.12");
  });

  test("a revision is read as its checkout would be", async () => {
    const root = repository();
    git(root, "checkout", "-q", "--", ".");
    const cwd = join(root, "deployments/acme");
    const { deployment } = await loadRevision({ revision: "HEAD", path: "" }, { cwd, beside: cwd });
    const onDisk = loadDeployment(".", { cwd }).deployment;
    const plain = (entries: readonly { path: string; kind: string; size: number; isText: boolean }[] | undefined) =>
      entries?.map(({ path, kind, size, isText }) => ({ path, kind, size, isText }));
    expect(plain(deployment?.inputs.sandboxTree)).toEqual(plain(onDisk?.inputs.sandboxTree));
    expect(plain(deployment?.inputs.pluginsTree)).toEqual(plain(onDisk?.inputs.pluginsTree));
    expect(deployment?.workloads.map(({ name, environment }) => ({ name, environment }))).toEqual(
      onDisk?.workloads.map(({ name, environment }) => ({ name, environment })),
    );
    expect(deployment?.secrets).toEqual(onDisk?.secrets);
    expect(deployment?.release.resolved).toBe("0.1.12");
    expect(deployment?.release.source).toBe("parent package.json");
  });

  test.each([
    ["none:"],
    ["HEAD:none"],
    ["HEAD:../../.."],
    ["HEAD:/etc/passwd"],
    ["--output=owned:"],
    ["-h:"],
    ["--upload-pack=touch owned:x"],
    ["$(touch owned):"],
    ["HEAD\nHEAD:"],
    ["HEAD^{tree}:"],
    [":x"],
    ["1234567890123456789012345678901234567890:"],
  ])("%j is no revision with a deployment: 2, and nothing is run or written", async (named) => {
    const cwd = repository();
    const { status, stdout } = await runInProcess(["diff", "--", named, "deployments/acme"], { cwd });
    expect([status, stdout]).toEqual([2, ""]);
    expect(readdirSync(cwd).sort()).toEqual([".git", "deployments", "package.json"]);
  });

  test("objects that the repository lacks are told from a revision that there is not", async () => {
    const root = repository();
    const cwd = join(root, "deployments/acme");
    const load = (revision: string) => loadRevision({ revision, path: "" }, { cwd, beside: cwd });
    expect((await load("none")).problem).toMatchObject({
      rule: "input/missing",
      message: "there is no such revision",
    });
    rmSync(join(root, ".git/objects"), { recursive: true });
    mkdirSync(join(root, ".git/objects"));
    expect((await load("HEAD")).problem).toMatchObject({
      rule: "input/unreadable",
      message: "git could not read it: the repository lacks the commit that this names",
      help: expect.stringContaining("git fsck"),
    });
  });

  test("a partial clone says how to get what it lacks", async () => {
    const [root, cwd] = [repository(), tempDirectory()];
    git(root, "commit", "-q", "-a", "-m", "two");
    git(root, "config", "uploadpack.allowFilter", "true");
    git(cwd, "clone", "-q", "--filter=blob:none", "--no-checkout", `file://${root}`, ".");
    const at = { revision: "HEAD", path: "deployments/acme" };
    expect((await loadRevision(at, { cwd, beside: cwd })).problem).toMatchObject({
      message: expect.stringContaining("this clone is partial"),
      help: expect.stringContaining("git fetch --refetch --no-filter"),
    });
  });

  test("a link in a revision is listed, never followed", async () => {
    const root = repository();
    symlinkSync("/etc", join(root, "deployments/acme/sandbox/out"));
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "two");
    const cwd = join(root, "deployments/acme");
    const { deployment } = await loadRevision({ revision: "HEAD", path: "" }, { cwd, beside: cwd });
    expect(deployment?.inputs.sandboxTree.find(({ path }) => path === "sandbox/out")).toMatchObject({
      kind: "symlink",
      text: null,
    });
  });

  test("what exists on disk is never taken for a revision; outside a repository git says so", async () => {
    const cwd = tempDirectory({ [NAME]: soundConfig() });
    addFiles(cwd, { [`HEAD:/${NAME}`]: SPRITES });
    expect(existsSync(join(cwd, "HEAD:"))).toBe(true);
    expect((await runInProcess(["diff", "HEAD:"], { cwd })).stdout).toContain("sprites -> boxd");
    expect(runCli(["diff", "main:"], { cwd, env: { GIT_CEILING_DIRECTORIES: cwd } }).status).toBe(2);
  });

  test("no git on PATH is said in words", () => {
    const { status, stderr } = runCli(["diff", "HEAD:", "deployments/acme"], {
      cwd: repository(),
      env: { PATH: "/nonexistent" },
    });
    expect(status).toBe(2);
    expect(stderr).toContain("git is not on PATH");
  });
});

test.each([
  ["HEAD~1:", { revision: "HEAD~1", path: "" }],
  ["origin/main:a/b", { revision: "origin/main", path: "a/b" }],
  ["plain", null],
  [":x", null],
])("%s is read as a revision or not", (text, expected) => {
  expect(readRevisionName(text)).toEqual(expected);
});
