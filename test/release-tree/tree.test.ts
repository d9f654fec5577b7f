import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ensureBuilt } from "../../scripts/build.mjs";
import { makeTree } from "../../scripts/release-tree/gate.mjs";
import { ROOT } from "../cli/built.ts";
import { soundConfig } from "../cli/deployments.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { run, TOOLCHAINS } from "./toolchains.ts";

await ensureBuilt({ types: true });

test.each([
  ["in the place of a file", "file", "EEXIST"],
  ["below a file", "file/tree", "ENOTDIR"],
  ["where something is", ".", "is not empty"],
])("a tree %s is refused before anything is built", (_, where, says) => {
  const root = tempDirectory({ file: "kept" });
  const ran = spawnSync(process.execPath, [join(ROOT, "scripts/release-tree.mjs"), join(root, where)], {
    encoding: "utf8",
  });
  expect([ran.status, ran.stdout]).toEqual([2, ""]);
  expect(ran.stderr.trim().split("\n")).toEqual([expect.stringContaining(says)]);
  expect(readFileSync(join(root, "file"), "utf8")).toBe("kept");
});

describe("the release tree", () => {
  let directory = "";
  let paths: string[] = [];
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "qm-deploy-tree-"));
    await makeTree(directory);
    paths = readdirSync(directory, { recursive: true, encoding: "utf8" })
      .filter((path) => statSync(join(directory, path)).isFile())
      .map((path) => path.replaceAll("\\", "/"));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test("has what is used of it, and nothing that is only for building", () => {
    expect(paths).toEqual(
      expect.arrayContaining([
        ...["README.md", "LICENSE", "CHANGELOG.md", "docs/rules.md", "schema/qm.config.schema.json"],
        ...["dist/bin/qm-deploy.cjs", "dist/cli/main.cjs", "dist/index.js", "dist/types/index.d.ts"],
        ...[".pre-commit-hooks.yaml", "action.yml", "dist/THIRD_PARTY_LICENSES"],
      ]),
    );
    expect(
      paths.filter((path) => /\.map$|\.sources$|^(?:test|scripts|node_modules)\/|(?<!\.d)\.ts$|lock\.json$/.test(path)),
    ).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
    expect(manifest).toMatchObject({ name: "qm-deploy", bin: { "qm-deploy": "dist/bin/qm-deploy.cjs" } });
    for (const field of ["scripts", "devDependencies", "dependencies", "overrides"])
      expect(manifest).not.toHaveProperty(field);
    expect(manifest.peerDependenciesMeta).toEqual({ "@boxd-sh/sdk": { optional: true } });
  });

  test("names files of its own in hooks and Action, and knows nothing of where it was made", () => {
    const action = parse(readFileSync(join(directory, "action.yml"), "utf8"));
    expect(paths).toContain(action.runs.main);
    const hooks = parse(readFileSync(join(directory, ".pre-commit-hooks.yaml"), "utf8"));
    expect(hooks.map(({ id }: { id: string }) => id)).toEqual(["qm-deploy-check", "qm-deploy-render"]);
    for (const { entry } of hooks) {
      const [program = ""] = String(entry).split(" ");
      expect(statSync(join(directory, program)).mode & 0o777).toBe(0o755);
    }
    for (const path of paths) expect(readFileSync(join(directory, path)).includes(ROOT), path).toBe(false);
  });

  test("runs as it lies there", () => {
    const cwd = tempDirectory({ "d/qm.config.jsonc": soundConfig() });
    const [{ env }] = TOOLCHAINS as unknown as [(typeof TOOLCHAINS)[number]];
    expect(run(join(directory, "dist/bin/qm-deploy.cjs"), ["check", "d"], cwd, env())).toMatchObject({ status: 0 });
    const step = run(process.execPath, [join(directory, "dist/action/main.cjs")], cwd, { ...env(), INPUT_PATH: "d" });
    expect(step).toMatchObject({ status: 0, text: expect.stringMatching(/^passed: deployments 1/m) });
  });
});
