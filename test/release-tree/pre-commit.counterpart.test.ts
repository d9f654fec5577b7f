import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../cli/built.ts";
import { FAULTY, soundConfig } from "../cli/deployments.ts";
import { answers } from "../support/programs.ts";
import { commitAll, git } from "../support/git.ts";
import { addFiles, tempDirectory } from "../workspace/temp.ts";
import { SERVED, TAG } from "./served.ts";
import { run, TOOLCHAINS, type Toolchain } from "./toolchains.ts";

const isThere = answers("pre-commit", ["--version"]);
const SKILL = "d/sandbox/skills/notes/SKILL.md";
const SKILL_TEXT = "---\nname: notes\ndescription: Takes notes\n---\n\nWrite them down.\n";

/** A repository with a sound deployment in `d`, rendered, whose commits go through both hooks. */
function repository(): string {
  const root = tempDirectory({
    "d/qm.config.jsonc": soundConfig(),
    "d/.env.example": "BOXD_API_KEY=\n",
    [SKILL]: SKILL_TEXT,
    "README.md": "# x\n",
    ".pre-commit-config.yaml": JSON.stringify({
      repos: [
        {
          repo: `file://${SERVED}`,
          rev: TAG,
          hooks: [{ id: "qm-deploy-check" }, { id: "qm-deploy-render" }],
        },
      ],
    }),
  });
  expect(runCli(["render", "d"], { cwd: root }).status).toBe(0);
  commitAll(root);
  return root;
}

/** Stages changes and runs the hooks as `git commit` would; what each said. */
function commit(root: string, files: { readonly [path: string]: string }, { env }: Toolchain) {
  addFiles(root, files);
  git(root, "add", "-A");
  const { status, text } = run("pre-commit", ["run", "--color", "never"], root, {
    ...env(),
    PRE_COMMIT_HOME: tempDirectory(),
  });
  const said = (hook: string) => new RegExp(`^${hook}\\.+(?:\\(.*\\))?(\\w+)$`, "m").exec(text)?.[1];
  return { status, text, check: said("qm-deploy check"), render: said("qm-deploy render --check") };
}

test.skipIf(isThere)("pre-commit is not installed, so that its hooks were not tried", () => {
  expect(spawnSync("pre-commit").error).toBeDefined();
});

describe.each(TOOLCHAINS)("pre-commit with $name", (toolchain) => {
  const skips = !isThere || !toolchain.isThere;

  test.skipIf(skips)("says nothing of files that no deployment is made from", () => {
    const root = repository();
    expect(commit(root, { "README.md": "# y\n", "src/x.ts": "" }, toolchain)).toMatchObject({
      status: 0,
      check: "Skipped",
      render: "Skipped",
    });
  });

  test.skipIf(skips)("judges a changed config, and refuses a wrong one with its place", () => {
    const root = repository();
    const { status, text, check } = commit(root, { "d/qm.config.jsonc": FAULTY }, toolchain);
    expect([status, check], text).toEqual([1, "Failed"]);
    expect(text).toMatch(/d\/qm\.config\.jsonc:\d+:\d+ +error +.*config\/unknown-key/);
    expect(text).not.toContain("\u001b");
  });

  test.skipIf(skips)("asks for a render after a change that is sound", () => {
    const root = repository();
    const more = { env: { core: { BOXD_ORG: "acme", BOXD_NAME_PREFIX: "acme1", BOXD_VCPU: "4" } } };
    const stale = commit(root, { "d/qm.config.jsonc": soundConfig(more) }, toolchain);
    expect([stale.status, stale.check, stale.render], stale.text).toEqual([1, "Passed", "Failed"]);
    expect(stale.text).toContain("+BOXD_VCPU=4");
    expect(runCli(["render", "d"], { cwd: root }).status).toBe(0);
    expect(commit(root, {}, toolchain)).toMatchObject({ status: 0, check: "Passed", render: "Passed" });
  });

  test.skipIf(skips)("looks at a changed .env.example, and at a changed skill", () => {
    const root = repository();
    expect(commit(root, { "d/.env.example": "BOXD_API_KEY=\nA=\n" }, toolchain)).toMatchObject({
      status: 0,
      check: "Passed",
    });
    git(root, "commit", "-q", "-m", "x");
    const broken = commit(root, { [SKILL]: SKILL_TEXT.replace("name: notes", "name: [") }, toolchain);
    expect(broken.check, broken.text).toBe("Failed");
    expect(broken.text).toContain(SKILL);
    expect(commit(root, { [SKILL]: `${SKILL_TEXT}More.\n` }, toolchain)).toMatchObject({ status: 0, check: "Passed" });
  });

  test.skipIf(skips)("stops no commit of a repository that has no deployment", () => {
    const root = repository();
    git(root, "rm", "-rq", "d");
    git(root, "commit", "-q", "-m", "x");
    const files = { "package.json": "{}\n", "plugins/x.js": "", "rendered/x.html": "" };
    expect(commit(root, files, toolchain)).toMatchObject({ status: 0, check: "Passed", render: "Passed" });
  });

  test.skipIf(skips)("finds a rendered file that was edited by hand", () => {
    const root = repository();
    const { status, render } = commit(root, { [join("d/rendered/docker/core.env")]: "A=b\n" }, toolchain);
    expect([status, render]).toEqual([1, "Failed"]);
  });
});
