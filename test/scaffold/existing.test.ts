import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applyScaffold } from "../../src/scaffold/apply.ts";
import { type Answers, readToolkit, localSpecPath } from "../../src/scaffold/answers.ts";
import { mergeGitignore } from "../../src/scaffold/gitignore.ts";
import { mergePackage } from "../../src/scaffold/package-json.ts";

import { addFiles, tempDirectory } from "../workspace/temp.ts";
import { COMBINATIONS } from "./matrix.ts";
import { planIn } from "./plan-of.ts";

function answersFor(wanted: string): Answers {
  const found = COMBINATIONS.find(([name]) => name === wanted);
  if (found === undefined) throw new Error(`no ${wanted}`);
  return found[1];
}

const ANSWERS = answersFor("docker boxd 0.1.12");

describe("a directory with files in it", () => {
  test("every file that exists keeps its bytes, but for package.json and .gitignore, which gain lines", async () => {
    const fresh = tempDirectory();
    await applyScaffold(planIn(fresh, ANSWERS), fresh);
    const mine = Object.fromEntries(planIn(fresh, ANSWERS).files.map(({ path }) => [path, `mine ${path}\n`]));
    const own = {
      ...mine,
      "qm.config.jsonc": readFileSync(join(fresh, "qm.config.jsonc"), "utf8"),
      "package.json": '{ "name": "mine" }\n',
      ".gitignore": "dist\n",
      ".env": "# mine\n",
    };
    const directory = tempDirectory(own);
    const plan = planIn(directory, ANSWERS);
    await applyScaffold(plan, directory);
    expect(plan.files.filter(({ action }) => action !== "kept").map(({ path }) => path)).toEqual([
      "package.json",
      ".gitignore",
    ]);
    for (const [path, text] of Object.entries(own)) {
      const now = readFileSync(join(directory, path), "utf8");
      if (path === "package.json")
        expect(JSON.parse(now)).toMatchObject({
          name: "mine",
          scripts: { check: "qm-deploy check" },
          devDependencies: { "@yc-software/qm": "0.1.12" },
        });
      else if (path === ".gitignore") expect(now).toBe("dist\nnode_modules/\n.generated/\n.*.tmp\n.env\n");
      else expect(now, path).toBe(text);
    }
  });

  test("after an interruption anywhere, what is there is whole and running again completes it", async () => {
    const whole = tempDirectory();
    const plan = planIn(whole, ANSWERS);
    await applyScaffold(plan, whole);
    for (let written = 0; written <= plan.files.length; written++) {
      const directory = tempDirectory(
        Object.fromEntries(plan.files.slice(0, written).map(({ path, text }) => [path, text])),
      );
      // Whatever the second call is asked for, the config that is there decides.
      const again = planIn(directory, written >= 2 ? { ...answersFor("fly sprites 0.1.12") } : ANSWERS);
      await applyScaffold(again, directory);
      expect(again.files.map(({ path, action }) => `${action} ${path}`)).toEqual(
        plan.files.map(({ path }, at) => `${at < written ? "kept" : "created"} ${path}`),
      );
      for (const { path, text } of plan.files) {
        if (path !== ".env") expect(readFileSync(join(directory, path), "utf8"), `${path} after ${written}`).toBe(text);
      }
      expect(planIn(directory, ANSWERS).render?.plan.files.every(({ change }) => change === "unchanged")).toBe(true);
    }
  });

  test("rendered files that are not what the config says are left for `render`", async () => {
    const directory = tempDirectory();
    await applyScaffold(planIn(directory, ANSWERS), directory);
    addFiles(directory, { "rendered/docker/compose.yaml": "mine\n" });
    const plan = planIn(directory, ANSWERS);
    await applyScaffold(plan, directory);
    expect(plan.render?.isFresh).toBe(false);
    expect(readFileSync(join(directory, "rendered/docker/compose.yaml"), "utf8")).toBe("mine\n");
  });

  test("a config with errors is scaffolded around, and not rendered", () => {
    const directory = tempDirectory({
      "qm.config.jsonc":
        '{ "contract": 1, "orgId": "ACME", "target": "docker", "publicUrl": "https://qm.acme.dev", "services": ["core"], "sandbox": { "backend": "boxd" } }',
    });
    const plan = planIn(directory, ANSWERS);
    expect(plan.render).toBeNull();
    expect(plan.errors.map(({ rule }) => rule)).not.toEqual([]);
  });
});

describe("package.json", () => {
  const toolkit = { name: "qm-deploy", spec: "0.1.0" };
  test.each([
    [
      "{}",
      {
        scripts: { check: "qm-deploy check", render: "qm-deploy render" },
        devDependencies: { "@yc-software/qm": "0.1.12", "qm-deploy": "0.1.0" },
      },
    ],
    [
      '{\n\t"scripts": { "check": "tsc" },\n\t"dependencies": { "@yc-software/qm": "^0.1.6" }\n}\n',
      {
        scripts: { check: "tsc", render: "qm-deploy render" },
        dependencies: { "@yc-software/qm": "^0.1.6" },
        devDependencies: { "qm-deploy": "0.1.0" },
      },
    ],
  ])("gains what it has not: %s", (before, after) => {
    const merged = mergePackage({ ...ANSWERS, toolkit })(before);
    expect(JSON.parse(merged.text)).toEqual(after);
    expect(mergePackage({ ...ANSWERS, toolkit })(merged.text).text).toBe(merged.text);
  });

  test.each(["", "[]", "{", "null"])("that is no object stays as it is: %s", (before) => {
    const merged = mergePackage({ ...ANSWERS, toolkit })(before);
    expect(merged.text).toBe(before);
    expect(merged.notes.join()).toContain("nothing was added");
  });
});

describe(".gitignore", () => {
  test.each([
    ["", "node_modules/\n.generated/\n.*.tmp\n.env\n"],
    [".env\n", ".env\nnode_modules/\n.generated/\n.*.tmp\n.env\n"],
    ["node_modules\n.generated\n.*.tmp\n.env\n", "node_modules\n.generated\n.*.tmp\n.env\n"],
    [
      "node_modules/\r\n.generated/\r\n.*.tmp\r\n.env\r\n!.env\r\n",
      "node_modules/\r\n.generated/\r\n.*.tmp\r\n.env\r\n!.env\r\n.env\r\n",
    ],
    ["/node_modules/\n.generated/\n.*.tmp\n# last\n.env", "/node_modules/\n.generated/\n.*.tmp\n# last\n.env"],
  ])("ends with .env as its last rule: %j", (before, after) => {
    const { text } = mergeGitignore("docker")(before);
    expect(text).toBe(after);
    expect(mergeGitignore("docker")(text).text).toBe(text);
  });
});

describe("--toolkit", () => {
  test.each([
    ["qm-deploy@0.1.0", "qm-deploy", "0.1.0"],
    ["@acme/qm-deploy@^1.2.3", "@acme/qm-deploy", "^1.2.3"],
    ["0.1.0", "qm-deploy", "0.1.0"],
    ["file:../qm-deploy-0.1.0.tgz", "qm-deploy", "file:../qm-deploy-0.1.0.tgz"],
    ["./qm-deploy-0.1.0.tgz", "qm-deploy", "./qm-deploy-0.1.0.tgz"],
    ["qm-deploy-0.1.0.tgz", "qm-deploy", "qm-deploy-0.1.0.tgz"],
    ["https://files.acme.dev/qm-deploy.tgz", "qm-deploy", "https://files.acme.dev/qm-deploy.tgz"],
    ["github:acme/qm-deploy#v1", "qm-deploy", "github:acme/qm-deploy#v1"],
    ["git+ssh://git@acme.dev/qm-deploy.git", "qm-deploy", "git+ssh://git@acme.dev/qm-deploy.git"],
    ["qm-deploy@file:../x", "qm-deploy", "file:../x"],
  ])("%s", (written, name, spec) => {
    expect(readToolkit(written)).toEqual({ value: { name, spec } });
  });

  test.each(["", "qm-deploy", "@acme/qm-deploy", "two words", "UPPER"])("is refused: %j", (written) => {
    expect(readToolkit(written)).toHaveProperty("reason");
  });

  test.each([
    ["file:../x.tgz", "../x.tgz"],
    ["./x", "./x"],
    ["x.tgz", "x.tgz"],
    ["file:/abs/x.tgz", "/abs/x.tgz"],
    ["file:///abs/x.tgz", "/abs/x.tgz"],
    ["/abs/x.tgz", "/abs/x.tgz"],
    ["/abs/x", "/abs/x"],
    ["https://acme.dev/x.tgz", null],
    ["0.1.0", null],
  ])("the path of %s", (spec, place) => {
    expect(localSpecPath(spec)).toBe(place);
  });
});
