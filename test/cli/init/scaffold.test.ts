import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDirectory } from "../../workspace/temp.ts";
import { BIN, plainEnv } from "../built.ts";
import { runInProcess } from "../in-process.ts";
import { everything, GIT, textOf } from "./directory.ts";

describe("an empty directory", () => {
  test.each([
    ["docker", "boxd"],
    ["fly", "boxd"],
    ["aws", "boxd"],
    ["docker", "local"],
  ])(
    "becomes a deployment on %s with %s that its own gate accepts once values are filled in",
    async (target, backend) => {
      const cwd = tempDirectory();
      const made = await runInProcess(
        [
          "init",
          "acme",
          "--target",
          target,
          "--backend",
          backend,
          "--public-url",
          "https://qm.acme.dev",
          "--aws-account",
          "210987654321",
        ],
        { cwd },
      );
      expect(made.status).toBe(0);
      const directory = join(cwd, "acme");
      const env = textOf(directory, ".env");
      // Blank values are listed, and nothing that was made is shown.
      for (const [, name = "", value = ""] of env.matchAll(/^([A-Z_]+)=(.*)$/gm)) {
        if (value === "") expect(made.stdout).toContain(`  ${name} `);
        else expect(made.stdout + made.stderr).not.toContain(value);
      }
      expect(await runInProcess(["render", "--check"], { cwd: directory })).toMatchObject({ status: 0 });
      writeFileSync(
        join(directory, ".env"),
        env
          .replaceAll(/^(ANTHROPIC_API_KEY|BOXD_API_KEY)=$/gm, "$1=sk-4f9a1c7e2b8d6035")
          .replace(/^PUBLIC_API_URL=$/m, `PUBLIC_API_URL=https://${target === "aws" ? "qm" : "core"}.acme.dev`),
      );
      const checked = await runInProcess(["check", "--format", "json"], { cwd: directory });
      const { diagnostics } = JSON.parse(checked.stdout).deployments[0];
      expect(diagnostics.filter(({ severity }: { severity: string }) => severity === "error")).toEqual([]);
      expect(checked.status).toBe(0);
      if (backend === "boxd") expect(made.stdout).toContain("Core needs an image that implements boxd");
    },
  );

  test("two deployments of one org get machines of different names", async () => {
    const cwd = tempDirectory();
    const prefixes: (string | undefined)[] = [];
    for (const name of ["one", "two"]) {
      await runInProcess(["init", name, "--org", "acme"], { cwd });
      prefixes.push(/"BOXD_NAME_PREFIX": "([^"]+)"/.exec(textOf(cwd, `${name}/qm.config.jsonc`))?.[1]);
    }
    expect(prefixes[0]).toMatch(/^acm-[a-z0-9]{3}$/);
    expect(prefixes[0]).not.toBe(prefixes[1]);
  });

  test("--dry-run writes nothing, and shows the tree and what files would hold, but for secrets", async () => {
    const cwd = tempDirectory({ ".gitignore": "dist\n" });
    const { status, stdout } = await runInProcess(["init", "--org", "acme", "--dry-run"], { cwd });
    expect(status).toBe(0);
    expect(everything(cwd)).toEqual([".gitignore"]);
    expect(stdout).toMatch(/^ {2}\.env +created$/m);
    expect(stdout).toMatch(/^ {2}\.gitignore +merged$/m);
    expect(stdout).toMatch(/^ {4}docker\/$/m);
    expect(stdout).toContain("+node_modules/");
    expect(stdout).toContain('+  "orgId": "acme",');
    expect(stdout).toContain("CORE_SIGNING_SECRET=");
    expect(stdout).not.toMatch(/[0-9a-f]{64}/);
  });

  test("the org comes from the directory's name, and --toolkit from where it is typed", async () => {
    const cwd = tempDirectory();
    await runInProcess(["init", "Ácme GmbH", "--toolkit", "./qm-deploy-0.1.0.tgz"], { cwd });
    expect(textOf(cwd, "Ácme GmbH/qm.config.jsonc")).toContain('"orgId": "acme-gmbh"');
    expect(JSON.parse(textOf(cwd, "Ácme GmbH/package.json")).devDependencies).toEqual({
      "@yc-software/qm": "0.1.12",
      "qm-deploy": "file:../qm-deploy-0.1.0.tgz",
    });
  });

  test.each([
    ["beside the directory", "pack.tgz", "file:../pack.tgz", true],
    ["in it", "acme/pack.tgz", "file:pack.tgz", false],
    ["in it, by its whole path", "$PWD/acme/pack.tgz", "file:pack.tgz", false],
    ["elsewhere, by its whole path", "/elsewhere/pack.tgz", "/elsewhere/pack.tgz", true],
    ["at an address", "https://files.acme.dev/pack.tgz", "https://files.acme.dev/pack.tgz", false],
  ])("a --toolkit that nobody else has is said to be one: %s", async (_, typed, spec, isNoted) => {
    const cwd = tempDirectory();
    const args = ["init", "acme", "--toolkit", typed.replace("$PWD", cwd)];
    const { status, stderr } = await runInProcess(args, { cwd });
    expect([status, stderr.includes("--toolkit is outside of the repository")]).toEqual([0, isNoted]);
    expect(JSON.parse(textOf(cwd, "acme/package.json")).devDependencies["qm-deploy"]).toBe(spec);
  });

  test("in the repository is where everybody has it", async () => {
    const cwd = tempDirectory({ ".git/HEAD": "ref: refs/heads/main\n", "vendor/pack.tgz": "" });
    const { stderr } = await runInProcess(["init", "acme", "--toolkit", join(cwd, "vendor/pack.tgz")], { cwd });
    expect(stderr).not.toContain("outside");
    expect(JSON.parse(textOf(cwd, "acme/package.json")).devDependencies["qm-deploy"]).toBe("file:../vendor/pack.tgz");
  });
});

/** How many paths are below a directory in which a process makes and removes some. */
function soFar(directory: string): number {
  try {
    return everything(directory).length;
  } catch {
    return 0;
  }
}

test.skipIf(process.platform === "win32")(
  "killed at any moment, what is there is whole, no secret could be committed, and running again completes it",
  async () => {
    const cwd = tempDirectory();
    const args = ["init", "--org", "acme", "--target", "fly"];
    for (const name of ["whole", "one", "two", "three", "four", "five", "six"]) mkdirSync(join(cwd, name));
    await runInProcess(args, { cwd: join(cwd, "whole") });
    const paths = everything(join(cwd, "whole")).filter((path) => statSync(join(cwd, "whole", path)).isFile());
    const cut = new Set<number>();
    for (const [at, name] of ["one", "two", "three", "four", "five", "six"].entries()) {
      const directory = join(cwd, name);
      const child = spawn(process.execPath, ["--", BIN, ...args], { cwd: directory, env: plainEnv(), stdio: "ignore" });
      const ended = new Promise((resolve) => child.on("exit", resolve));
      // Killed as soon as so many files are there, wherever it is then.
      while (child.exitCode === null && soFar(directory) < at * 4)
        await new Promise((resolve) => setImmediate(resolve));
      child.kill("SIGKILL");
      await ended;
      const there = everything(directory).filter(
        (path) =>
          !path.endsWith(".tmp") &&
          !/\.tmp\//.test(path) &&
          // Also the name beside it under which a process waits for its turn.
          !/\.lock(?:\.[0-9a-f]{12})?$/.test(path) &&
          statSync(join(directory, path)).isFile(),
      );
      cut.add(there.length);
      for (const path of there) expect(readFileSync(join(directory, path)).length, path).toBeGreaterThan(0);
      if (there.includes(".env")) expect(textOf(directory, ".gitignore")).toMatch(/^\.\*\.tmp\n\.env\n$/m);
      const before = there.map((path) => textOf(directory, path));
      expect((await runInProcess(args, { cwd: directory })).status).toBe(0);
      expect(there.map((path) => textOf(directory, path))).toEqual(before);
      expect(everything(directory)).toEqual(expect.arrayContaining(paths));
      expect((await runInProcess(["render", "--check"], { cwd: directory })).status).toBe(0);
    }
    expect(cut.size).toBeGreaterThan(1);
  },
);

test
  .skipIf(process.platform === "win32")
  .each(["-x", "--help", "it's", "a b", "$(touch pwned)", "`touch pwned`", "a;b", "~", "#x"])(
  "the way into %j can be pasted",
  async (name) => {
    const cwd = tempDirectory();
    const { stdout } = await runInProcess(["init", "--org", "acme", "--", name], { cwd });
    const command = /^ +(cd .*)$/m.exec(stdout)?.[1] ?? "";
    const { stdout: there } = spawnSync("sh", ["-c", `${command} && pwd -P`], { cwd, encoding: "utf8" });
    expect(there.trimEnd()).toBe(join(realpathSync(cwd), name));
    expect(everything(cwd)).not.toContain("pwned");
  },
);

test("other things in the way of a file are left, and said", async () => {
  const cwd = tempDirectory({ "AGENTS.md/mine": "" });
  const { status, stdout } = await runInProcess(["init", "--org", "acme"], { cwd });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^kept +AGENTS\.md\n +the path is a directory$/m);
});

test("every value to fill in says what it is, also those that only the scaffold's config names", async () => {
  const cwd = tempDirectory();
  const { stdout } = await runInProcess(["init", "--org", "acme", "--target", "fly"], { cwd });
  expect(stdout).toMatch(/^ {2}ADMIN_GRANTS +Who becomes an administrator: .*ada@acme\.dev:org_admin$/m);
  expect(textOf(cwd, ".env")).toMatch(/^# Who becomes an administrator: .*\nADMIN_GRANTS=$/m);
  expect(stdout).not.toContain("Secret that the configuration hands to");
});

test.skipIf(!GIT)(
  "below the root of a repository one workflow at the root serves every deployment (needs git)",
  async () => {
    const root = tempDirectory({ "deployments/README.md": "" });
    spawnSync("git", ["init", "-q"], { cwd: root });
    const first = await runInProcess(["init", "deployments/acme"], { cwd: root });
    expect(first.status).toBe(0);
    expect(first.stdout).toContain("created  ../../.github/workflows/check.yml\n");
    const workflow = textOf(root, ".github/workflows/check.yml");
    expect(workflow).toContain("deployments/acme/node_modules/.bin/qm-deploy check");
    expect(existsSync(join(root, "deployments/acme/.github"))).toBe(false);
    expect(textOf(root, "deployments/acme/AGENTS.md")).toContain("(../../.github/workflows/check.yml)");
    const second = await runInProcess(["init", "globex"], { cwd: join(root, "deployments") });
    expect(second.stdout).toMatch(
      /^kept +\.\.\/\.\.\/\.github\/workflows\/check\.yml\n +it judges this deployment too$/m,
    );
    expect(textOf(root, ".github/workflows/check.yml")).toBe(workflow);
    expect(readdirSync(join(root, ".github/workflows"))).toEqual(["check.yml"]);
  },
);

test.skipIf(!GIT)(
  "a workflow of the repository that runs qm-deploy is found whatever it is called (needs git)",
  async () => {
    const root = tempDirectory({
      ".github/workflows/gate.yaml": "# qm-deploy check\n",
      ".github/workflows/other.yml": "",
    });
    spawnSync("git", ["init", "-q"], { cwd: root });
    const { stdout } = await runInProcess(["init", "acme", "--dry-run"], { cwd: root });
    expect(stdout).toMatch(/\.\.\/\.github\/workflows\/gate\.yaml +kept/);
    expect(stdout).not.toContain("check.yml");
  },
);

const CHECK = ".github/workflows/check.yml";

// Path, text, what init says of the workflow that is there in the end: that it is a gate, that it runs what package.json installs.
test.skipIf(!GIT).each([
  ["one that does not run qm-deploy", CHECK, "name: check\non: push\njobs: {}\n", false, false],
  ["one that runs qm-deploy from elsewhere", ".github/workflows/gate.yml", "run: npx qm-deploy check\n", true, false],
  ["one for another deployment", CHECK, "run: deployments/b/node_modules/.bin/qm-deploy check\n", true, false],
  ["one further up", CHECK, "run: x/deployments/a/node_modules/.bin/qm-deploy check\n", true, false],
  ["one for this deployment", CHECK, "run: deployments/a/node_modules/.bin/qm-deploy check\n", true, true],
  ["none before", "README.md", "", true, true],
])("of a workflow init says only what holds: %s (needs git)", async (_, path, text, isGate, needsInstalled) => {
  const root = tempDirectory({ [path]: text });
  spawnSync("git", ["init", "-q"], { cwd: root });
  const { status, stdout, stderr } = await runInProcess(["init", "deployments/a", "--org", "a", "--yes"], {
    cwd: root,
  });
  const name = `../../${path === "README.md" ? CHECK : path}`;
  expect(status).toBe(0);
  expect(stderr).toContain("package.json does not depend on qm-deploy");
  expect(stderr.includes("workflow"), stderr).toBe(needsInstalled);
  expect(stdout.includes("it does not run qm-deploy")).toBe(!isGate);
  const page = textOf(root, "deployments/a/AGENTS.md");
  expect(page.includes(`](${name}): the gate for pull requests`)).toBe(isGate);
  expect(page.includes("CI refuses")).toBe(isGate);
});

test("with --action the workflow runs the Action and installs nothing", async () => {
  const cwd = tempDirectory();
  const made = await runInProcess(["init", "--action", "acme/qm-deploy@v0.1.0"], { cwd });
  expect([made.status, made.stderr.includes("workflow")]).toEqual([0, false]);
  const workflow = textOf(cwd, ".github/workflows/check.yml");
  expect(workflow).toContain("- uses: acme/qm-deploy@v0.1.0\n");
  expect(workflow).not.toContain("npm");
  const { status, stderr } = await runInProcess(["init", "--action", "acme/qm-deploy"], { cwd: tempDirectory() });
  expect([status, stderr]).toEqual([2, expect.stringContaining("--action names no action")]);
});
