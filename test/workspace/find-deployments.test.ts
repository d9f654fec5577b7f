import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findDeployments, nearestConfig } from "../../src/workspace/find-deployments.ts";
import { loadDeployment } from "../../src/workspace/load-deployment.ts";
import { tempDirectory } from "./temp.ts";

const NAME = "qm.config.jsonc";

function found(paths: readonly string[], cwd: string) {
  const { configs, problems } = findDeployments(paths, cwd);
  return { files: configs.map(({ file }) => file), problems: problems.map(({ rule, file }) => `${rule} ${file}`) };
}

describe("directories", () => {
  const tree = () =>
    tempDirectory({
      [`b/${NAME}`]: "{}",
      [`b/nested/deep/${NAME}`]: "{}",
      [`a/${NAME}`]: "{}",
      [`a/rendered/docker/qm/${NAME}`]: "{}",
      [`rendered/c/${NAME}`]: "{}",
      [`a/node_modules/x/${NAME}`]: "{}",
      [`.git/x/${NAME}`]: "{}",
      "b/other.jsonc": "{}",
    });

  test("are searched, sorted by name, without what others made", () => {
    const cwd = tree();
    const all = [`a/${NAME}`, `b/nested/deep/${NAME}`, `b/${NAME}`, `rendered/c/${NAME}`];
    expect(found(["."], cwd)).toEqual({ files: all, problems: [] });
    expect(found([], cwd)).toEqual({ files: all, problems: [] });
    expect(found(["b", "a", "b/nested", "./a/"], cwd).files).toEqual(all.slice(0, 3));
  });

  test("without a path, the deployment in the working directory is the one that is meant", () => {
    const cwd = join(tree(), "b");
    expect(found([], cwd).files).toEqual([NAME]);
    expect(found(["."], cwd).files).toEqual([`nested/deep/${NAME}`, NAME]);
  });

  test("links to directories are followed, each real directory is searched once, and loops end", () => {
    const root = tempDirectory({
      [`deployments/a/${NAME}`]: "{}",
      [`real/prod/${NAME}`]: "{}",
      [`real/x/b/${NAME}`]: "{}",
    });
    const cwd = join(root, "deployments");
    symlinkSync("..", join(cwd, "a", "loop"));
    symlinkSync(".", join(cwd, "self"));
    symlinkSync("../real/prod", join(cwd, "prod"));
    symlinkSync("../real/x", join(cwd, "twice"));
    symlinkSync("../real/x/b", join(cwd, "z"));
    symlinkSync("../../x", join(root, "real", "x", "b", "up"));
    const all = [`a/${NAME}`, `prod/${NAME}`, `twice/b/${NAME}`];
    expect(found(["."], cwd)).toEqual({ files: all, problems: [] });
    expect(found([".", "../real/prod", "prod"], cwd)).toEqual({ files: all, problems: [] });
    expect(found(["deployments", "real"], root).files).toHaveLength(3);
  });

  test("a link that leads nowhere or to a file is no directory", () => {
    const cwd = tempDirectory({ [`a/${NAME}`]: "{}", file: "" });
    symlinkSync("nowhere", join(cwd, "dangling"));
    symlinkSync("file", join(cwd, "a", "linked"));
    symlinkSync("around", join(cwd, "around"));
    expect(found(["."], cwd)).toEqual({ files: [`a/${NAME}`], problems: [] });
  });

  test("what render wrote is no deployment, wherever it was told to put it", () => {
    const manifest = JSON.stringify({ version: 1, release: "0.1.12", artifacts: [{ name: `qm/${NAME}`, sha256: "" }] });
    const cwd = tempDirectory({
      [`a/${NAME}`]: "{}",
      "a/deploy/docker/manifest.json": manifest,
      [`a/deploy/docker/qm/${NAME}`]: "{}",
      "broken/fly/manifest.json": `<<<<<<< ours\n${manifest}`,
      [`broken/fly/qm/${NAME}`]: "{}",
      // A deployment of the user that is called so, and a manifest of somebody else.
      [`own/qm/${NAME}`]: "{}",
      "other/manifest.json": "{}",
      [`other/qm/${NAME}`]: "{}",
    });
    expect(found(["."], cwd)).toEqual({ files: [`a/${NAME}`, `other/qm/${NAME}`, `own/qm/${NAME}`], problems: [] });
    expect(found(["a/deploy"], cwd).problems).toEqual(["input/no-deployment a/deploy"]);
    expect(found([], join(cwd, "broken")).problems).toEqual(["input/no-deployment ."]);
    const named = loadDeployment(`a/deploy/docker/qm/${NAME}`, { cwd });
    expect(named.problem).toMatchObject({ rule: "input/no-deployment", file: `a/deploy/docker/qm/${NAME}` });
    expect(loadDeployment("own/qm", { cwd }).problem).toBeUndefined();
  });

  test("a linked config counts, a directory of that name does not", () => {
    const cwd = tempDirectory({ "real.jsonc": "{}" });
    mkdirSync(join(cwd, "linked"));
    mkdirSync(join(cwd, "odd", NAME), { recursive: true });
    symlinkSync("../real.jsonc", join(cwd, "linked", NAME));
    expect(found(["."], cwd).files).toEqual([`linked/${NAME}`]);
  });
});

describe("without a path and with nothing here or below", () => {
  const tree = () =>
    tempDirectory({
      [NAME]: "{}",
      "sub/deep/x": "",
      "rendered/docker/manifest.json": `["qm/${NAME}"]`,
      [`rendered/docker/qm/${NAME}`]: "{}",
      "repository/.git/HEAD": "",
      "repository/sub/x": "",
    });

  test("the nearest deployment above is meant", () => {
    const root = tree();
    expect(found([], join(root, "sub", "deep")).files).toEqual([`../../${NAME}`]);
    expect(found([], join(root, "rendered", "docker", "qm")).files).toEqual([`../../../${NAME}`]);
    expect(nearestConfig(join(root, "sub"))).toBe(join(root, NAME));
  });

  test("a directory that is there for everybody's files says nothing of what is below", () => {
    const root = tree();
    chmodSync(root, 0o1777);
    expect(nearestConfig(join(root, "sub"))).toBeNull();
    expect(nearestConfig(root)).toBe(join(root, NAME));
    chmodSync(root, 0o777);
    expect(nearestConfig(join(root, "sub"))).toBe(join(root, NAME));
  });

  test("the search ends at the root of the repository, and a path that was named is not left", () => {
    const root = tree();
    expect(found([], join(root, "repository", "sub")).problems).toEqual(["input/no-deployment ."]);
    expect(nearestConfig(join(root, "repository", "sub"))).toBeNull();
    expect(found(["."], join(root, "sub")).problems).toEqual(["input/no-deployment ."]);
  });
});

test("a file is taken whatever its name, and `-` is stdin", () => {
  const cwd = tempDirectory({ "x.jsonc": "{}" });
  expect(found(["x.jsonc", "-", "-"], cwd)).toEqual({ files: ["<stdin>", "x.jsonc"], problems: [] });
});

test("what is not there, and a directory without a deployment, are problems beside what was found", () => {
  const cwd = tempDirectory({ [`a/${NAME}`]: "{}", "empty/x": "" });
  expect(found(["a", "none", "empty"], cwd)).toEqual({
    files: [`a/${NAME}`],
    problems: ["input/missing none", "input/no-deployment empty"],
  });
  expect(found([], join(cwd, "empty")).problems).toEqual(["input/no-deployment ."]);
});

test("an empty path, as of an unset variable, is a problem and not the working directory", () => {
  const cwd = tempDirectory({ [NAME]: "{}" });
  expect(found([""], cwd)).toEqual({ files: [], problems: ["input/missing ."] });
});

test("names of files outside the working directory lead out of it", () => {
  const root = tempDirectory({ [`a/${NAME}`]: "{}", "b/x": "" });
  expect(found(["../a"], join(root, "b")).files).toEqual([`../a/${NAME}`]);
});
