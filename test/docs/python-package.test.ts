import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { ROOT } from "../cli/built.ts";

const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), "utf8");
const PACKAGE = JSON.parse(read("package.json")) as { version: string; license: string };

test("the package for Python has this package's version and licence, and depends on openenv alone", () => {
  const { project } = parse(read("python", "pyproject.toml")) as { project: Record<string, unknown> };
  expect(project["dependencies"]).toEqual([expect.stringMatching(/^openenv>=[\d.]+$/)]);
  expect(project["license"]).toBe(PACKAGE.license);
  const [, version] = /^__version__ = "(.*)"$/m.exec(read("python", "src", "qm_deploy_openenv", "_version.py")) ?? [];
  expect(version).toBe(PACKAGE.version);
  expect(read("python", "LICENSE")).toBe(read("LICENSE"));
  expect(read("python", "README.md")).toContain(`qm-deploy-${PACKAGE.version}.tgz`);
});

test("its README and docs/openenv.md show the same example", () => {
  const [example, documented] = ["python/README.md", "docs/openenv.md"].map(
    (file) => /```python\n([\s\S]*?)```/.exec(read(file))?.[1],
  );
  expect(example).toBe(documented);
  expect(example).toContain("BoxdProvider(public=True");
});
