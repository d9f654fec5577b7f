import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TEST_KEY } from "../../support/boxd-fake/index.ts";
import { makeStandIn, type PlainFault, type StandIn } from "../../support/boxd-sdk-stand-in/stand-in.ts";
import { needsProcesses, skipWithoutProcesses } from "./rig.ts";

describe.skipIf(skipWithoutProcesses)(`a bundled program with the SDK's stand-in${needsProcesses}`, () => {
  let standIn: StandIn;
  let dir: string;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "qm-sandbox-program-"));
    standIn = await makeStandIn();
    await build({
      input: join(import.meta.dirname, "program.ts"),
      platform: "node",
      logLevel: "silent",
      transform: { target: "es2022" },
      output: { file: join(dir, "program.mjs"), format: "esm", codeSplitting: false },
    });
  }, 60_000);
  afterAll(() => {
    standIn.dispose();
    rmSync(dir, { recursive: true, force: true });
  });

  function run(options: { sdk?: boolean; env?: Record<string, string>; faults?: PlainFault[] } = {}) {
    const { sdk = true, env = {}, faults = [] } = options;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...(sdk ? standIn.nodeArgs : []), join(dir, "program.mjs")],
      {
        encoding: "utf8",
        env: { PATH: process.env["PATH"], BOXD_API_KEY: TEST_KEY, ...standIn.env({}, faults), ...env },
      },
    );
    return { status, stdout, stderr };
  }

  test("makes a machine, uses it, deletes it, and gives the connection back", () => {
    expect(run({ env: { BOXD_BASE_URL: "https://boxd.sh:9443/", BOXD_ORG: "acme" } })).toEqual({
      status: 0,
      stdout: "hello from /home/boxd/workspace\n",
      stderr: "",
    });
    expect(standIn.report()).toMatchObject({
      survivors: [],
      processes: [],
      violations: [],
      clients: { opened: 1, closed: 1 },
    });
  });

  test("says how to install the SDK when it is missing", () => {
    expect(run({ sdk: false })).toMatchObject({
      status: 1,
      stdout: expect.stringContaining(`npm install "@boxd-sh/sdk@`),
    });
  });

  test("says that a key is refused, without showing it, and still closes", () => {
    const { status, stdout } = run({ env: { BOXD_API_KEY: "bxd_wrong-key" } });
    expect([status, stdout]).toEqual([1, expect.stringContaining("invalid token")]);
    expect(stdout).not.toContain("wrong-key");
    expect(standIn.report().clients).toEqual({ opened: 1, closed: 1 });
  });

  test("a fault in the middle is an error of that step", () => {
    const { stdout } = run({
      faults: [{ method: "machines.create", times: "always", error: { code: 3, message: "image is not allowed" } }],
    });
    expect(stdout).toMatch(/^Error: boxd provision qm-demo-[0-9a-f]{6}: .*image is not allowed\n$/);
    expect(standIn.report()).toMatchObject({ survivors: [], unusedFaults: [] });
  });
});
