import { chmodSync, existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DeploymentInputs } from "../../src/deployment/inputs.ts";
import { readTree } from "../../src/workspace/directory-tree.ts";
import { loadDeployment, loadFound, type LoadOptions, sourcesOf } from "../../src/workspace/load-deployment.ts";
import { addFiles, tempDirectory } from "./temp.ts";

const CONFIG =
  '{ "contract": 1, "orgId": "acme", "target": "docker", "skills": ["skills", "../x", "link", "none", "file"] }';
const PIN = (version: string, more: object = {}) =>
  JSON.stringify({ dependencies: { "@yc-software/qm": version }, ...more });

function inputsOf(path: string, options: Partial<LoadOptions>): DeploymentInputs {
  const { deployment, problem } = loadDeployment(path, options);
  if (deployment === undefined) throw new Error(problem.message);
  return deployment.inputs;
}

test("a directory and its config are the same deployment", () => {
  const cwd = tempDirectory({ "a/qm.config.jsonc": CONFIG, "a/.env": "A=1\n" });
  chmodSync(join(cwd, "a/.env"), 0o600);
  expect(inputsOf("a", { cwd })).toEqual(inputsOf("a/qm.config.jsonc", { cwd }));
  expect(inputsOf("a", { cwd })).toMatchObject({
    config: { file: "a/qm.config.jsonc", text: CONFIG },
    directory: "a",
    envFile: { file: "a/.env", text: "A=1\n", mode: 0o600 },
    flags: { release: null, target: null },
  });
  expect(inputsOf(".", { cwd: join(cwd, "a"), release: "0.1.6", target: "fly" })).toMatchObject({
    directory: ".",
    flags: { release: "0.1.6", target: "fly" },
  });
});

describe("the env file", () => {
  test("is not needed, but one that is named must be there, and one that is there must be readable", () => {
    const cwd = tempDirectory({ "qm.config.jsonc": CONFIG });
    expect(inputsOf(".", { cwd }).envFile).toBeNull();
    expect(loadDeployment(".", { cwd, envFile: "prod.env" }).problem).toMatchObject({
      rule: "input/missing",
      file: "prod.env",
    });
    addFiles(cwd, { ".env/x": "" });
    expect(loadDeployment(".", { cwd }).problem).toMatchObject({ rule: "input/not-a-file", file: ".env" });
  });

  test("that is named wins over the one beside the config", () => {
    const cwd = tempDirectory({ "qm.config.jsonc": CONFIG, ".env": "A=1", "prod.env": "A=2" });
    expect(inputsOf(".", { cwd, envFile: "prod.env" }).envFile).toMatchObject({ file: "prod.env", text: "A=2" });
  });
});

describe("package.json", () => {
  const read = (files: { readonly [path: string]: string }, directory = "a/b") => {
    const cwd = tempDirectory({ ...files, [`${directory}/qm.config.jsonc`]: CONFIG });
    return inputsOf(directory, { cwd }).packageFiles.map(({ file, relation }) => `${relation} ${file}`);
  };

  test("its own, and the nearest above that pins qm", () => {
    expect(
      read({ ".git/HEAD": "", "package.json": PIN("0.1.6"), "a/package.json": "{}", "a/b/package.json": "{}" }),
    ).toEqual(["own a/b/package.json", "parent package.json"]);
    expect(read({ ".git/HEAD": "", "package.json": PIN("0.1.6"), "a/package.json": PIN("0.1.12") })).toEqual([
      "parent a/package.json",
    ]);
  });

  test("none above the root of the repository", () => {
    expect(read({ "package.json": PIN("0.1.6"), "a/.git/HEAD": "" })).toEqual([]);
    expect(read({ "package.json": PIN("0.1.6"), "a/b/.git": "gitdir: elsewhere" })).toEqual([]);
  });

  test("not this toolkit's, and not one that does not parse", () => {
    const files = { "package.json": PIN("0.1.6"), "a/package.json": PIN("0.1.12", { name: "qm-deploy" }) };
    expect(read(files)).toEqual(["parent package.json"]);
    expect(read({ ...files, "a/package.json": '{ "@yc-software/qm"' })).toEqual(["parent package.json"]);
  });

  test("many deployments of a run look above once, with the same result", () => {
    const cwd = tempDirectory({
      "package.json": PIN("0.1.6"),
      "a/qm.config.jsonc": CONFIG,
      "b/qm.config.jsonc": CONFIG,
    });
    const parents = new Map();
    const [first, second] = ["a", "b"].map((path) => inputsOf(path, { cwd, parents }).packageFiles[0]);
    expect(first?.file).toBe("package.json");
    expect(second).toBe(first);
  });
});

describe("a package.json that cannot be read", () => {
  const rules = (files: { readonly [path: string]: string }, release?: string): string[] => {
    const cwd = tempDirectory({ "a/qm.config.jsonc": CONFIG, ".git/HEAD": "", ...files });
    const options = { cwd, release };
    const { deployment } = loadFound({ path: join(cwd, "a", "qm.config.jsonc"), file: "a/qm.config.jsonc" }, options);
    const found = deployment!.diagnostics.filter(({ rule }) => rule.startsWith("input/"));
    expect(loadDeployment("a", options).problem?.rule).toBe(found[0]?.rule);
    return found.map(({ rule, file }) => `${rule} ${file}`);
  };
  const LARGE = " ".repeat(1024 * 1024 + 1);

  test("is an error where the release rests on it", () => {
    expect(rules({ "a/package.json": LARGE })).toEqual(["input/too-large a/package.json"]);
    expect(rules({ "a/package.json/x": "" })).toEqual(["input/not-a-file a/package.json"]);
    expect(rules({ "package.json": LARGE })).toEqual(["input/too-large package.json"]);
    expect(rules({ "a/package.json": "{}", "package.json": LARGE })).toEqual(["input/too-large package.json"]);
  });

  test("is nothing to speak of where another one, or the command line, decides", () => {
    expect(rules({ "a/package.json": PIN("0.1.6"), "package.json": LARGE })).toEqual([]);
    expect(rules({ "a/package.json": LARGE }, "0.1.12")).toEqual([]);
    expect(rules({ "a/.git/HEAD": "", "package.json": LARGE })).toEqual([]);
  });
});

test("skills paths say where they lead, links followed, and what is below directories", () => {
  const cwd = tempDirectory({ "a/qm.config.jsonc": CONFIG, "a/skills/x/SKILL.md": "text", "a/file": "", "x/y": "" });
  symlinkSync("../x", join(cwd, "a/link"));
  const paths = inputsOf("a", { cwd }).skillsPaths;
  expect(paths.map(({ written, kind }) => [written, kind])).toEqual([
    ["skills", "directory"],
    ["../x", "outside"],
    ["link", "outside"],
    ["none", "missing"],
    ["file", "other"],
  ]);
  expect(paths.map(({ tree }) => tree?.root)).toEqual(["skills", undefined, undefined, undefined, undefined]);
  expect(paths[0]?.tree?.entries.map(({ path, text }) => [path, text])).toEqual([
    ["skills/x", null],
    ["skills/x/SKILL.md", "text"],
  ]);
});

test.each([".", "./", "skills/..", "self"])("%s is the deployment directory itself", (written) => {
  const cwd = tempDirectory({ "qm.config.jsonc": JSON.stringify({ skills: [written] }), "skills/x": "" });
  symlinkSync(".", join(cwd, "self"));
  expect(inputsOf(".", { cwd }).skillsPaths).toEqual([{ written, kind: "deployment" }]);
});

describe("trees", () => {
  test("the sandbox layer, with text where rules read it and links never followed", () => {
    const cwd = tempDirectory({
      "qm.config.jsonc": CONFIG,
      "sandbox/tools/t/tool.json": "{}",
      "sandbox/tools/t/t": Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]),
      "sandbox/tools/t/notes.txt": "text",
      "sandbox/Dockerfile": "FROM x",
      "elsewhere/x": "",
    });
    chmodSync(join(cwd, "sandbox/tools/t/t"), 0o755);
    symlinkSync("../elsewhere", join(cwd, "sandbox/linked"));
    symlinkSync("nowhere", join(cwd, "sandbox/dangling"));
    const tree = inputsOf(".", { cwd }).sandboxTree.map(({ path, kind, text, isText, leadsTo }) => [
      path,
      kind,
      text,
      isText,
      leadsTo,
    ]);
    expect(tree).toEqual([
      ["sandbox/Dockerfile", "file", "FROM x", true, null],
      ["sandbox/dangling", "symlink", null, true, null],
      ["sandbox/linked", "symlink", null, true, "directory"],
      ["sandbox/tools", "directory", null, true, null],
      ["sandbox/tools/t", "directory", null, true, null],
      ["sandbox/tools/t/notes.txt", "file", null, true, null],
      ["sandbox/tools/t/t", "file", null, false, null],
      ["sandbox/tools/t/tool.json", "file", "{}", true, null],
    ]);
    expect(inputsOf(".", { cwd }).sandboxTree.find(({ path }) => path === "sandbox/tools/t/t")).toMatchObject({
      size: 5,
      mode: 0o755,
    });
  });

  test("a sandbox layer that is a link is one entry, and not what is behind it", () => {
    const cwd = tempDirectory({ "qm.config.jsonc": CONFIG, "layer/tools/t/tool.json": "{}" });
    symlinkSync("layer", join(cwd, "sandbox"));
    expect(inputsOf(".", { cwd }).sandboxTree).toEqual([
      expect.objectContaining({ path: "sandbox", kind: "symlink", leadsTo: "directory" }),
    ]);
  });

  test("what is too much is said where the reading stopped", () => {
    const cwd = tempDirectory({ "x/a/1": "", "x/a/2": "", "x/a/3": "", "x/b": "" });
    const unread = (most: number) =>
      readTree(join(cwd, "x"), "x", { depth: 2, opens: () => false, most }).filter((entry) => entry.unread === "limit");
    expect(unread(3).map(({ path }) => path)).toEqual(["x", "x/a"]);
    expect(unread(4).map(({ path }) => path)).toEqual(["x"]);
    expect(unread(5)).toEqual([]);
  });

  // A regular file that even root cannot read at its beginning.
  test.skipIf(!existsSync("/proc/self/mem"))("what the system does not let be read is said", () => {
    const options = { depth: 1, opens: (path: string) => path === "x/mem" };
    expect(readTree(`/proc/${process.pid}`, "x", options).filter(({ unread }) => unread !== undefined)).toEqual([
      expect.objectContaining({ path: "x/mem", unread: "failed" }),
    ]);
  });

  test("a link in the place of plugins/ is followed, as by qm", () => {
    const cwd = tempDirectory({ "a/qm.config.jsonc": CONFIG, "shared/bot/Dockerfile": "FROM y" });
    symlinkSync("../shared", join(cwd, "a/plugins"));
    expect(inputsOf("a", { cwd }).pluginsTree.map(({ path, text }) => [path, text])).toEqual([
      ["plugins/bot", null],
      ["plugins/bot/Dockerfile", "FROM y"],
    ]);
  });

  test("plugin directories behind a link count, as for qm, and a link to a parent does not go round", () => {
    const cwd = tempDirectory({
      "a/qm.config.jsonc": CONFIG,
      "a/plugins/own/Dockerfile": "FROM x",
      "shared/bot/Dockerfile": "FROM y",
    });
    symlinkSync("../../shared/bot", join(cwd, "a/plugins/bot"));
    symlinkSync("..", join(cwd, "a/plugins/up"));
    const paths = inputsOf("a", { cwd }).pluginsTree.map(({ path }) => path);
    expect(paths).toContain("plugins/bot/Dockerfile");
    expect(paths).toContain("plugins/up/qm.config.jsonc");
    expect(paths.every((path) => path.split("/").length <= 3)).toBe(true);
  });

  test("plugins one level deep", () => {
    const cwd = tempDirectory({
      "qm.config.jsonc": CONFIG,
      "plugins/p/Dockerfile": "FROM y",
      "plugins/p/src/deep": "",
      "plugins/file": "",
    });
    expect(inputsOf(".", { cwd }).pluginsTree.map(({ path, text }) => [path, text])).toEqual([
      ["plugins/file", null],
      ["plugins/p", null],
      ["plugins/p/Dockerfile", "FROM y"],
      ["plugins/p/src", null],
    ]);
  });

  test("sources carry the names that diagnostics use", () => {
    const cwd = tempDirectory({
      "a/qm.config.jsonc": CONFIG,
      "a/.env": "A=1",
      "a/package.json": "{}",
      "a/sandbox/tools/t/tool.json": "{}",
    });
    const { deployment } = loadDeployment("a", { cwd });
    expect([...sourcesOf(deployment!).keys()].sort()).toEqual([
      "a/.env",
      "a/package.json",
      "a/qm.config.jsonc",
      "a/sandbox/tools/t/tool.json",
    ]);
  });
});

test("an empty path is no way to say the working directory", () => {
  const cwd = tempDirectory({ "qm.config.jsonc": CONFIG });
  expect(loadDeployment("", { cwd }).problem).toMatchObject({
    rule: "input/missing",
    message: "an empty path names nothing",
  });
});
