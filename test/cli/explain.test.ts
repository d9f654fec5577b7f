import { describe, expect, test } from "vitest";
import { tempDirectory } from "../workspace/temp.ts";
import { runInProcess } from "./in-process.ts";
import { soundConfig } from "./deployments.ts";

const NAME = "qm.config.jsonc";

describe("explain", () => {
  test("prints a sheet for people and one object for programs", async () => {
    const cwd = tempDirectory({ [NAME]: soundConfig() });
    const { status, stdout } = await runInProcess(["explain", "core.SANDBOX_BACKEND"], { cwd });
    expect(status).toBe(0);
    expect(stdout).toMatch(/value +boxd\n/);
    expect(stdout).toContain("`sandbox.backend` (qm.config.jsonc:");
    const object = JSON.parse(
      (await runInProcess(["explain", "core.SANDBOX_BACKEND", "--format", "json"], { cwd })).stdout,
    );
    expect(object).toMatchObject({
      version: 1,
      thing: "core.SANDBOX_BACKEND",
      config: NAME,
      target: "docker",
      subjects: [{ kind: "environment", value: "boxd" }],
    });
  });

  test("without a thing lists every name of every workload", async () => {
    const cwd = tempDirectory({ [NAME]: soundConfig() });
    const lines = (await runInProcess(["explain"], { cwd })).stdout.split("\n");
    expect(lines[0]).toMatch(/^NAME +VALUE +COMES FROM$/);
    expect(lines.find((line) => line.startsWith("core.BOXD_API_KEY"))).toMatch(
      /\(secret\) +required secret BOXD_API_KEY: `sandbox\.backend` is `boxd`/,
    );
    const { environment } = JSON.parse((await runInProcess(["explain", "--format", "json"], { cwd })).stdout);
    expect(environment).toHaveLength(lines.filter(Boolean).length - 1);
  });

  test("rules and backends need no deployment, names do", async () => {
    const cwd = tempDirectory();
    expect((await runInProcess(["explain", "sandbox/fly-only-field"], { cwd })).stdout).toContain("fires on");
    expect((await runInProcess(["explain", "input/missing"], { cwd })).status).toBe(0);
    expect((await runInProcess(["explain", "boxd"], { cwd })).stdout).toContain("BOXD_API_KEY");
    expect((await runInProcess(["explain", "core.SANDBOX_BACKEND"], { cwd })).status).toBe(2);
    expect((await runInProcess(["explain"], { cwd })).status).toBe(2);
  });

  test("a thing that nothing is called is a wrong command line, with the name that was meant", async () => {
    const cwd = tempDirectory({ [NAME]: soundConfig() });
    const { status, stdout, stderr } = await runInProcess(["explain", "BOXD_APY_KEY"], { cwd });
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("did you mean `BOXD_API_KEY`?");
  });

  test("a config that does not parse is explained as far as it goes", async () => {
    const cwd = tempDirectory({
      [NAME]: '{ "target": "docker", "services": ["core"], "sandbox": { "backend": "boxd" } "x": ',
    });
    expect((await runInProcess(["explain", "sandbox.backend"], { cwd })).status).toBe(0);
  });
});
