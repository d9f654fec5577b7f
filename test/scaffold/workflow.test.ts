import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { workflowText } from "../../src/scaffold/workflow.ts";
import { tempDirectory } from "../workspace/temp.ts";

interface Step {
  readonly name?: string;
  readonly run?: string;
}

const WORKFLOW = parse(workflowText("fly"));
const STEPS: readonly Step[] = WORKFLOW.jobs.check.steps;

/** Runs a step as GitHub does: `bash -e`. */
function runStep(name: string, cwd: string) {
  const script = STEPS.find((step) => step.name === name)?.run;
  if (script === undefined) throw new Error(`no step ${name}`);
  return spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], { cwd, encoding: "utf8" });
}

/** A directory with a qm-deploy that says how it was called, and ends so. */
function withGate(status: number): string {
  const cwd = tempDirectory({ "node_modules/.bin/qm-deploy": `#!/bin/sh\necho "called: $*"\nexit ${status}\n` });
  chmodSync(join(cwd, "node_modules/.bin/qm-deploy"), 0o755);
  return cwd;
}

test("may read the repository and nothing else, on pull requests", () => {
  expect(WORKFLOW.permissions).toEqual({ contents: "read" });
  expect(Object.keys(WORKFLOW.on)).toContain("pull_request");
  for (const { run } of STEPS) if (run !== undefined) expect(spawnSync("bash", ["-n"], { input: run }).status).toBe(0);
});

describe("the gate", () => {
  test("that is not installed is asked for, and never fetched", () => {
    const { status, stdout } = runStep("Find the gate", tempDirectory());
    expect(status).toBe(1);
    expect(stdout).toMatch(/^::error file=package\.json,title=[^:]+::/);
    expect(workflowText("fly")).not.toMatch(/npx/);
  });

  test("that is installed is run with annotations", () => {
    const cwd = withGate(0);
    expect(runStep("Find the gate", cwd).status).toBe(0);
    expect(runStep("Check", cwd)).toMatchObject({ status: 0, stdout: "called: check --format github\n" });
    expect(runStep("Compare rendered files", cwd)).toMatchObject({ status: 0, stdout: "called: render --check\n" });
  });

  test("that finds something fails the run", () => {
    const cwd = withGate(1);
    expect(runStep("Check", cwd).status).toBe(1);
    const { status, stdout } = runStep("Compare rendered files", cwd);
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^::error file=qm\.config\.jsonc,title=[^:]+::run qm-deploy render, and commit rendered\/fly\/$/m,
    );
  });
});
