import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configForQm } from "../../../src/render/projection.ts";
import { loadDeployment } from "../../../src/workspace/load-deployment.ts";
import { DIFFERENCES } from "../../deployment/peer-differences.ts";
import { loadWithQm, qmEnvironments, type StringEnv } from "../../deployment/peer/qm.ts";
import { environment } from "../../deployment/resolving.ts";
import { findCases } from "../../support/load-case.ts";
import { refusalOfQm } from "../../support/qm-check.ts";
import { addFiles, tempDirectory } from "../../workspace/temp.ts";
import { pinning, texts, upgrade } from "./rig.ts";

const ROOT = join(import.meta.dirname, "../../..");
const EXAMPLES = ["aws-boxd", "aws-lambda", "docker-boxd", "fly-boxd", "fly-sprites"];

/** A copy that 0.1.6 is pinned for. */
function copyOf(directory: string): string {
  const cwd = tempDirectory();
  cpSync(directory, cwd, { recursive: true });
  rmSync(join(cwd, "package.json"), { force: true });
  addFiles(cwd, { "package.json": pinning("0.1.6") });
  return cwd;
}

describe("what `upgrade 0.1.12 --write` leaves of an example, qm 0.1.12 takes", () => {
  test.each(EXAMPLES)("%s: its own check accepts it, and its environments are the same", async (name) => {
    const cwd = copyOf(join(ROOT, "examples", name));
    const { status, err } = await upgrade(cwd, "0.1.12", "--write");
    expect(status, err).toBe(0);
    const { deployment } = loadDeployment(".", { cwd });
    if (deployment === undefined) throw new Error("the deployment is gone");
    expect([deployment.release.resolved, deployment.release.source]).toEqual(["0.1.12", "package.json"]);
    expect(await refusalOfQm(deployment)).toBeNull();
    const config = configForQm(deployment);
    const theirs = await qmEnvironments(deployment, await loadWithQm(config));
    const accepted = new Set(DIFFERENCES.map(({ what }) => what));
    const found = deployment.workloads.flatMap((workload) =>
      compare(`${workload.name}.`, environment(deployment, workload.name), theirs.get(workload.name) ?? {}),
    );
    expect(found.filter((what) => !accepted.has(what))).toEqual([]);
  });
});

function compare(prefix: string, ours: StringEnv, qm: StringEnv): string[] {
  const names = [...new Set([...Object.keys(ours), ...Object.keys(qm)])];
  return names.filter((name) => ours[name] !== qm[name]).map((name) => prefix + name);
}

interface Difference {
  readonly qm: "accepts" | "refuses";
}

const CASES = findCases(join(ROOT, "test/cases")).filter((name) => {
  const { args } = JSON.parse(readFileSync(join(ROOT, "test/cases", name, "expected.json"), "utf8")) as {
    args?: { release?: string };
  };
  return args?.release === "0.1.6" && existsSync(join(ROOT, "test/cases", name, "input/qm.config.jsonc"));
});
const DIFFERENT = JSON.parse(readFileSync(join(ROOT, "test/cases/peer-differences.json"), "utf8")) as {
  [name: string]: Difference;
};

describe("of a case under 0.1.6", () => {
  test("there are some", () => expect(CASES.length).toBeGreaterThan(10));

  test.each(CASES)("%s: what is written qm 0.1.12 accepts, else nothing is", async (name) => {
    const cwd = copyOf(join(ROOT, "test/cases", name, "input"));
    const before = texts(cwd);
    const { status } = await upgrade(cwd, "0.1.12", "--write");
    expect([0, 1]).toContain(status);
    if (status === 1) {
      expect(texts(cwd)).toEqual(before);
      return;
    }
    const { deployment } = loadDeployment(".", { cwd });
    const refusal = deployment === undefined ? "unread" : await refusalOfQm(deployment);
    if (DIFFERENT[name]?.qm !== "refuses") expect(refusal).toBeNull();
  });
});
