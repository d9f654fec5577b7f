import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CommandDefinition } from "../../src/cli/command-definition.ts";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { IS_DEEP, inTurn } from "../support/runs.ts";
import { addFiles, tempDirectory } from "../workspace/temp.ts";
import { BIN, plainEnv, type Ran, runCli } from "./built.ts";
import { runInProcess } from "./in-process.ts";
import { MENDABLE, soundConfig } from "./deployments.ts";

const CONFIG = "qm.config.jsonc";
const SECRET = "5ec2e7".repeat(8);
const GIT = spawnSync("git", ["--version"]).status === 0;

/** What each command is called with; without words where it is not named here. */
const WORDS: { readonly [command: string]: readonly (readonly string[])[] } = {
  check: [[], ["."], ["--fix=all"], ["--format", "sarif"]],
  completion: [["bash"]],
  "config get": [["orgId"]],
  "config set": [["orgId", "other"]],
  "config unset": [["skills"]],
  "dev-env": [["--sandbox", "boxd"]],
  diff: [["HEAD:"], [".", "."]],
  explain: [[], ["core.HARNESS"]],
  init: [[".", "--yes"]],
  render: [[], ["--check"], ["--secrets", "--force"], ["--out", "deploy"], ["--only", "core.env", "--stdout"]],
  "sandbox build": [["--dry-run", "--from", "scratch"]],
  "sandbox publish": [["--dry-run"]],
  "secrets set": [["CAPABILITY_SECRET"]],
};

function leaves(commands: readonly CommandDefinition[], above: readonly string[] = []): string[][] {
  return commands.flatMap(({ name, commands: below, load }) => [
    ...(load === undefined ? [] : [[...above, name]]),
    ...leaves(below ?? [], [...above, name]),
  ]);
}

/** Every command line that is tried. */
const LINES: readonly (readonly string[])[] = leaves(COMMANDS).flatMap((command) =>
  (WORDS[command.join(" ")] ?? [[]]).map((words) => [...command, ...words]),
);

/** Ended as a command ends, in time, and no fault of ours. */
function expectEnd({ status, stdout, stderr }: Ran, what: string): void {
  expect([0, 1, 2], `${what}: ${stderr}`).toContain(status);
  expect(stdout + stderr, what).not.toMatch(/fault of qm-deploy|internal\/|^\s+at .*\.[cm]?js:\d+/m);
}

function writeDeployment(directory: string, config = soundConfig()): void {
  addFiles(directory, {
    [CONFIG]: config,
    ".env": `CAPABILITY_SECRET=${SECRET}\n`,
    "package.json": '{ "devDependencies": { "@yc-software/qm": "0.1.12" } }',
    "sandbox/skills/s/SKILL.md": "---\nname: s\ndescription: What it is for.\n---\nDo it.\n",
  });
}

function deployment(config = soundConfig()): string {
  const directory = tempDirectory();
  writeDeployment(directory, config);
  return directory;
}

describe.skipIf(!GIT)("a directory whose git and programs are somebody else's (needs git)", () => {
  /** A repository whose own config, hooks and files would have every program that git knows of leave a mark. */
  function makeHostile(cwd: string, mark: string): void {
    writeDeployment(cwd);
    const script = `#!/bin/sh\necho "$0 $*" >> '${mark}'\n`;
    const git = (...args: readonly string[]): string =>
      spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.dev", ...args], { cwd, encoding: "utf8" }).stdout;
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "x");
    const programs = ["git", "docker", "fly", "flyctl", "aws", "terraform", "node", "sh", "less", "trap"];
    addFiles(cwd, Object.fromEntries(programs.map((name) => [name, script])));
    for (const name of programs) chmodSync(join(cwd, name), 0o755);
    for (const name of ["post-index-change", "post-checkout", "reference-transaction", "fsmonitor-watchman"]) {
      addFiles(cwd, { [`.git/hooks/${name}`]: script });
      chmodSync(join(cwd, ".git/hooks", name), 0o755);
    }
    const trap = join(cwd, "trap");
    const settings = {
      "core.fsmonitor": trap,
      "core.pager": trap,
      "core.editor": trap,
      "core.askPass": trap,
      "core.sshCommand": trap,
      "core.gitProxy": trap,
      "core.alternateRefsCommand": trap,
      "core.hooksPath": join(cwd, ".git/hooks"),
      "diff.external": trap,
      "gpg.program": trap,
      "credential.helper": `!${trap}`,
      "alias.ls-files": `!${trap}`,
      "filter.x.clean": trap,
      "filter.x.smudge": trap,
      "filter.x.process": trap,
      "remote.origin.url": "ssh://nowhere.invalid/x",
      "remote.origin.uploadpack": trap,
      "remote.origin.promisor": "true",
      "remote.origin.partialclonefilter": "blob:none",
      "extensions.partialClone": "origin",
      "core.repositoryformatversion": "1",
    };
    for (const [name, value] of Object.entries(settings)) git("config", name, value);
    // Not there, so that git would fetch it.
    const blob = git("rev-parse", `HEAD:${CONFIG}`).trim();
    rmSync(join(cwd, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    addFiles(cwd, { ".git/info/attributes": "* filter=x diff=x\n" });
    rmSync(mark, { force: true });
  }

  /** One for all tests, as its config names its own place; each begins with a fresh copy of it. */
  let root = "";
  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "qm-deploy-hostile-")));
    makeHostile(join(root, "a"), join(root, "ran"));
    renameSync(join(root, "a"), join(root, "fresh"));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  function hostile(): { cwd: string; mark: string } {
    const places = { cwd: join(root, "a"), mark: join(root, "ran") };
    for (const place of Object.values(places)) rmSync(place, { recursive: true, force: true });
    cpSync(join(root, "fresh"), places.cwd, { recursive: true });
    return places;
  }

  test("the trap works: git as it is runs it", () => {
    const { cwd, mark } = hostile();
    spawnSync("git", ["ls-files", "--others"], { cwd });
    expect(existsSync(mark)).toBe(true);
  });

  test.each(LINES)("runs none of it: %s %s %s", (...argv) => {
    const { cwd, mark } = hostile();
    const env = { PATH: `.::sub:${process.env.PATH ?? ""}` };
    expectEnd(runCli(argv, { cwd, input: SECRET, env }), argv.join(" "));
    expect(existsSync(mark)).toBe(false);
  });

  test("git answers for the directory, in a hook too, and what it refuses is no missing repository", () => {
    const root = tempDirectory({ [`a/${CONFIG}`]: soundConfig(), "a/.env": "X=1\n" });
    for (const args of [
      ["init", "-q"],
      ["add", "-A"],
    ])
      spawnSync("git", args, { cwd: root });
    const probe = (env = {}): string | undefined =>
      runCli(["doctor"], { cwd: join(root, "a"), env })
        .stdout.split("\n")
        .find((line) => line.includes(".env and git"));
    expect(probe({ GIT_DIR: ".git", GIT_INDEX_FILE: ".git/index" })).toMatch(/^failed .*git tracks \.env/);
    expect(probe({ GIT_GLOB_PATHSPECS: "1", GIT_ICASE_PATHSPECS: "1" })).toMatch(/^failed .*git tracks \.env/);
    expect(probe({ GIT_SHALLOW_FILE: "/dev/zero" })).toMatch(/^failed .*git tracks \.env/);
    rmSync(join(root, ".git/HEAD"));
    expect(probe()).toMatch(/^failed .*git could not be asked/);
    rmSync(join(root, ".git"), { recursive: true });
    expect(probe()).toMatch(/^skipped .*in no git repository/);
  });
});

/** What can stand in the place of a file. */
const KINDS: { readonly [kind: string]: (path: string) => unknown } = {
  pipe: (path) => spawnSync("mkfifo", [path]),
  device: (path) => symlinkSync("/dev/zero", path),
  loop: (path) => symlinkSync(basename(path), path),
  dangling: (path) => symlinkSync("nowhere", path),
  "too long a name": (path) => symlinkSync("x".repeat(300), path),
  "way up": (path) => symlinkSync("..", path),
  directory: (path) => mkdirSync(path),
  huge: (path) => {
    writeFileSync(path, "");
    truncateSync(path, 700 * 2 ** 20);
  },
  bytes: (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0, 1, 200, 10])),
};

const PLACES = [
  CONFIG,
  ".env",
  "package.json",
  "sandbox",
  "sandbox/skills/s/SKILL.md",
  "sandbox/tools",
  "plugins",
  "rendered",
  "rendered/docker",
  "rendered/docker/manifest.json",
  "rendered/docker/core.env",
  "rendered/docker/core.secrets.env",
  ".gitignore",
  "AGENTS.md",
  `.${CONFIG}.lock`,
  "..env.lock",
  "rendered/docker/.manifest.json.lock",
  ".git",
];

/** Asks programs and networks that are not there, which takes its time and looks at no file that `check` does not. */
const SLOW = /^(?:doctor|boxd|openenv)\b/;

describe.skipIf(process.platform === "win32")("something else in the place of a file", () => {
  const lines = LINES.filter((argv) => !SLOW.test(argv.join(" ")));
  test.each(PLACES)("%s: every command ends and says so", async (place) => {
    for (const [at, kind] of Object.keys(KINDS).entries()) {
      for (const argv of inTurn(lines, lines.length, at * 7 + PLACES.indexOf(place))) {
        const cwd = deployment();
        const path = join(cwd, place);
        rmSync(path, { recursive: true, force: true });
        mkdirSync(dirname(path), { recursive: true });
        KINDS[kind]?.(path);
        // The server ends with its process.
        const run = argv[0] === "lsp" ? runCli : runInProcess;
        expectEnd(await run(argv, { cwd, input: SECRET }), `${argv.join(" ")} with ${place} as ${kind}`);
      }
    }
  });
});

describe.skipIf(process.platform === "win32")("what the system refuses", () => {
  const lines = LINES.filter((argv) => !SLOW.test(argv.join(" ")));
  const WRITERS = [
    ["config", "set", "orgId", "other"],
    ["secrets", "set", "CAPABILITY_SECRET"],
    ["check", "--fix=all"],
    ["init", ".", "--yes"],
    ["render"],
    ["render", "--secrets", "--force"],
  ];

  /** A program for node's --require. */
  function preload(text: string): readonly string[] {
    return [
      "--require",
      join(tempDirectory({ "preload.cjs": `const fs = require("node:fs");\n${text}` }), "preload.cjs"),
    ];
  }

  test.each(lines)("no more open files: %s %s %s", (...argv) => {
    const line = lines.findIndex((one) => one.join() === argv.join());
    for (const left of IS_DEEP ? Array.from({ length: 10 }, (_, at) => at + 1) : [1 + (line % 9)]) {
      const hog = preload(
        `const held = [];
         try { for (;;) held.push(fs.openSync("/dev/null", "r")); } catch {}
         for (const descriptor of held.slice(-${left})) fs.closeSync(descriptor);`,
      );
      const words = [process.execPath, ...hog, "--", BIN, ...argv].map((word) => `'${word}'`).join(" ");
      const options = { cwd: deployment(), env: plainEnv(), input: SECRET, encoding: "utf8" } as const;
      expectEnd(spawnSync("sh", ["-c", `ulimit -n 64; exec ${words}`], options), `${argv.join(" ")} with ${left} left`);
    }
  });

  test.each(WRITERS)("no space left: %s %s %s", (...argv) => {
    const full = preload(
      `fs.writeFileSync = () => { throw Object.assign(new Error("full"), { code: "ENOSPC", syscall: "write" }); };`,
    );
    const cwd = deployment(argv[1] === "--fix=all" ? MENDABLE : soundConfig());
    const before = treeOf(cwd);
    const ran = runCli(argv, { cwd, input: SECRET.replaceAll("5e", "6f"), nodeArgs: full });
    expect(ran.status, ran.stderr).toBe(2);
    expect(ran.stdout + ran.stderr).toMatch(/ENOSPC: no space is left/);
    expect(treeOf(cwd)).toEqual(before);
  });

  test("a file of this package that cannot be read is said in one line", () => {
    const broken = preload(
      `const { readFileSync } = fs;
       fs.readFileSync = (path, ...more) => {
         if (String(path).endsWith("main.cjs")) throw Object.assign(new Error("x"), { code: "EMFILE", syscall: "open" });
         return readFileSync(path, ...more);
       };`,
    );
    const ran = runCli(["check"], { nodeArgs: broken });
    expect(ran).toEqual({ status: 2, stdout: "", stderr: "error: qm-deploy cannot be loaded (EMFILE)\n" });
  });

  const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const canRun = spawnSync(process.execPath, [BIN, "--version"], { ...NOBODY, cwd: "/" }).status === 0;

  /** Runs as somebody for whom `place` below the deployment `a` is shut, in `cwd` below their common root. */
  function runShut(place: string, argv: readonly string[], cwd: string): void {
    const root = tempDirectory();
    const from = deployment();
    renameSync(from, join(root, "a"));
    addFiles(root, {
      "a/plugins/p/Dockerfile": "FROM x\n",
      "a/rendered/docker/core.env": "A=1\n",
      "a/.git/HEAD": "",
      ".git/HEAD": "",
    });
    if ("uid" in NOBODY) spawnSync("chown", ["-R", `${NOBODY.uid}`, root]);
    chmodSync(join(root, "a", place), 0o000);
    const options = { ...NOBODY, cwd: join(root, cwd), env: plainEnv(), input: SECRET, encoding: "utf8" } as const;
    expectEnd(spawnSync(process.execPath, ["--", BIN, ...argv], options), `${argv.join(" ")} without ${place}`);
    chmodSync(join(root, "a", place), 0o700);
  }

  test
    .skipIf(!canRun)
    .each([CONFIG, ".env", "package.json", "sandbox", "plugins", "rendered", "rendered/docker/core.env", ".git"])(
    "no permission for %s (needs a user who may run what was built)",
    (place) => {
      for (const argv of [...inTurn(WRITERS, 2, place.length), ...inTurn(lines, 14, place.length)])
        runShut(place, argv, "a");
    },
  );

  test.skipIf(!canRun).each([
    ["check", "a"],
    ["check", "."],
    ["render", "a"],
    ["init", "a", "--yes"],
    ["secrets", "check", "a"],
    ["secrets", "set", "CAPABILITY_SECRET", "--in", "a"],
    ["config", "set", "orgId", "other", "--in", "a"],
    ["diff", "a", "a"],
  ])("no permission for the deployment: %s %s (needs a user who may run what was built)", (...argv) => {
    runShut(".", argv, ".");
  });
});

/** The files below a directory with what they hold. */
function treeOf(directory: string): { readonly [path: string]: string } {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => statSync(join(directory, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(directory, name), "utf8")]));
}
