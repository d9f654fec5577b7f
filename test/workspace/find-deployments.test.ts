import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findDeployments } from "../../src/workspace/find-deployments.ts";
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

  test("links to directories are not followed, so that the search ends", () => {
    const cwd = tempDirectory({ [`a/${NAME}`]: "{}" });
    symlinkSync("..", join(cwd, "a", "loop"));
    expect(found(["."], cwd).files).toEqual([`a/${NAME}`]);
  });

  test("a linked config counts, a directory of that name does not", () => {
    const cwd = tempDirectory({ "real.jsonc": "{}" });
    mkdirSync(join(cwd, "linked"));
    mkdirSync(join(cwd, "odd", NAME), { recursive: true });
    symlinkSync("../real.jsonc", join(cwd, "linked", NAME));
    expect(found(["."], cwd).files).toEqual([`linked/${NAME}`]);
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
