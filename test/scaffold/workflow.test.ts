import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readAction } from "../../src/scaffold/answers.ts";
import { workflowText } from "../../src/scaffold/workflow.ts";
import { workflowErrors } from "../support/github-parser.ts";
import { addFiles, tempDirectory } from "../workspace/temp.ts";

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly "working-directory"?: string;
}

const ACTION = "acme/qm-deploy@v0.1.0";
const VARIANTS: readonly (readonly [title: string, text: string])[] = [
  ["of a repository that is a deployment", workflowText(null)],
  ["of a deployment further below", workflowText(null, "deployments/acme's own")],
  ["with the Action", workflowText(ACTION)],
];

function stepsOf(text: string): readonly Step[] {
  return parse(text).jobs.check.steps;
}

/** Runs a step as GitHub does: `bash -e`. */
function runStep(text: string, name: string, cwd: string) {
  const script = stepsOf(text).find((step) => step.name === name)?.run;
  if (script === undefined) throw new Error(`no step ${name}`);
  return spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], { cwd, encoding: "utf8" });
}

/** A repository with a qm-deploy in a directory of it, which says how it was called, and ends so. */
function withGate(directory: string, status: number): string {
  const cwd = tempDirectory();
  const gate = `${directory}node_modules/.bin/qm-deploy`;
  addFiles(cwd, { [gate]: `#!/bin/sh\necho "called: $*"\nexit ${status}\n` });
  chmodSync(`${cwd}/${gate}`, 0o755);
  return cwd;
}

describe.each(VARIANTS)("the workflow %s", (_, text) => {
  test("is what GitHub's own parser takes", async () => {
    expect(await workflowErrors(text)).toEqual([]);
    expect(await workflowErrors(text.replace("runs-on", "run-on")), "the parser sees a fault").not.toEqual([]);
    expect(await workflowErrors(text.replace("contents: read", "contents: reed"))).not.toEqual([]);
  });

  test("may read the repository and nothing else, on pull requests", () => {
    const workflow = parse(text);
    expect(workflow.permissions).toEqual({ contents: "read" });
    expect(Object.keys(workflow.on)).toContain("pull_request");
    expect(text).toContain("persist-credentials: false");
    for (const { run } of stepsOf(text))
      if (run !== undefined) expect(spawnSync("bash", ["-n"], { input: run }).status).toBe(0);
  });

  test("names actions of others by commit, and the version beside it", () => {
    const others = [...text.matchAll(/uses: (actions\/.*)/g)].map(([, uses]) => uses);
    expect(others.length).toBeGreaterThan(0);
    for (const uses of others) expect(uses).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    expect(text).not.toMatch(/npx/);
  });
});

describe.each([
  ["", VARIANTS[0]?.[1] ?? ""],
  ["deployments/acme's own/", VARIANTS[1]?.[1] ?? ""],
])("the gate in %j", (directory, text) => {
  test("that is not installed is asked for, and never fetched", () => {
    const { status, stdout } = runStep(text, "Find the gate", tempDirectory());
    expect(status).toBe(1);
    expect(stdout).toMatch(/^::error title=[^:]+::/);
  });

  test("that is installed judges the whole repository, with annotations", () => {
    const cwd = withGate(directory, 0);
    expect(runStep(text, "Find the gate", cwd).status).toBe(0);
    expect(runStep(text, "Check", cwd)).toMatchObject({ status: 0, stdout: "called: check --format github\n" });
    expect(runStep(text, "Compare rendered files", cwd)).toMatchObject({
      status: 0,
      stdout: "called: render --check\n",
    });
    const install = stepsOf(text).find(({ name }) => name === "Install");
    expect(`${install?.["working-directory"] ?? ""}/`).toBe(directory === "" ? "/" : directory);
  });

  test("that finds something fails the run", () => {
    const cwd = withGate(directory, 1);
    expect(runStep(text, "Check", cwd).status).toBe(1);
    const { status, stdout } = runStep(text, "Compare rendered files", cwd);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^::error title=[^:]+::run qm-deploy render, and commit what it writes below rendered\/$/m);
  });
});

describe("--action", () => {
  test("is named by the workflow, which installs nothing and fetches what a comparison needs", () => {
    const steps = stepsOf(workflowText(ACTION));
    expect(steps.map(({ uses }) => uses?.split("@")[0])).toEqual(["actions/checkout", "acme/qm-deploy"]);
    expect(steps[0]).toMatchObject({ with: { "fetch-depth": 2 } });
    expect(steps[1]).toMatchObject({ uses: ACTION, with: { "render-check": true, "diff-base": "auto" } });
  });

  test("takes what GitHub takes and nothing that ends the line", () => {
    for (const fine of [ACTION, "a/b@main", `a/b.c/sub@${"0".repeat(40)}`, "a/b@releases/v1"])
      expect(readAction(fine)).toEqual({ value: fine });
    for (const wrong of ["", "a/b", "a@v1", "a/b@", "a/b@v1 # x", "a/b@v1\nx: y", "./here", "docker://x@y", "a/b@-x"])
      expect(readAction(wrong), wrong).toHaveProperty("reason");
  });
});
