import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { processesSupported, TEST_KEY } from "../../support/boxd-fake/index.ts";
import {
  makeStandIn,
  type PlainFault,
  type StandIn,
  type StandInSettings,
} from "../../support/boxd-sdk-stand-in/stand-in.ts";
import { needsProc } from "./harness.ts";

describe.skipIf(!processesSupported)(`the SDK stand-in in a process of its own${needsProc}`, () => {
  let standIn: StandIn;
  let dir: string;
  beforeAll(async () => {
    standIn = await makeStandIn();
    dir = mkdtempSync(join(tmpdir(), "stand-in-test-"));
  }, 60_000);
  afterAll(() => {
    standIn.dispose();
    rmSync(dir, { recursive: true, force: true });
  });

  /** Runs plain JavaScript that may import the SDK; `BOXD` is a client's options. */
  function run(body: string, settings: StandInSettings = {}, faults: PlainFault[] = []) {
    const file = join(dir, "program.mjs");
    writeFileSync(
      file,
      `import { Boxd, NotFoundError } from "@boxd-sh/sdk";\nconst show = (error) => console.log(error.name, error.grpcCode, error.message);\n${body}\n`,
    );
    const { status, stdout, stderr } = spawnSync(process.execPath, [...standIn.nodeArgs, file], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], BOXD_API_KEY: TEST_KEY, ...standIn.env(settings, faults) },
    });
    return { status, stdout, stderr };
  }

  test("drives a machine, and reports calls, machines and processes that are left", () => {
    const result = run(`
      const boxd = new Boxd();
      const { id } = await boxd.machines.create({ name: "left", labels: { "managed-by": "test" } });
      while ((await boxd.machines.get(id)).status !== "running");
      const done = await boxd.machines.exec(id, { command: "setsid sleep 3141.59 >/dev/null 2>&1 </dev/null & sleep 0.1; echo ran" });
      process.stdout.write(done.stdout);
      await boxd.close();
    `);
    expect(result).toEqual({ status: 0, stdout: "ran\n", stderr: "" });
    const report = standIn.report();
    expect(report.survivors).toEqual([{ name: "left", status: "running", labels: { "managed-by": "test" } }]);
    expect(report.processes).toEqual([["sleep", "3141.59"]]);
    expect(report.calls.map((call) => call.method)).toEqual([
      "machines.create",
      "machines.get",
      "machines.get",
      "machines.get",
      "machines.exec",
    ]);
    expect(report).toMatchObject({ violations: [], unusedFaults: [], clients: { opened: 1, closed: 1 } });
    const left = spawnSync("pgrep", ["-f", "^sleep 3141[.]59$"], { encoding: "utf8" });
    expect(left.stdout).toBe("");
  });

  test("takes faults and machines from the environment", () => {
    const result = run(
      `
      const boxd = new Boxd({ apiKey: ${JSON.stringify(TEST_KEY)} });
      await boxd.machines.list().catch(show);
      const [row] = await boxd.machines.list();
      console.log(row.name, row.status);
      console.log((await boxd.orgs.list())[0].slug);
      await boxd.machines.get("none").catch((error) => console.log(error instanceof NotFoundError));
    `,
      { machines: [{ name: "old", status: "hibernated" }] },
      [
        { method: "machines.list", error: { code: 14, message: "unavailable" } },
        { method: "orgs.list", answer: [{ slug: "other" }] },
      ],
    );
    expect(result).toMatchObject({
      status: 0,
      stdout: "APIConnectionError 14 unavailable\nold hibernated\nother\ntrue\n",
    });
  });

  test.each<[string, string, string]>([
    ["a wrong key", `{ apiKey: "bxd_wrong" }`, "AuthenticationError 16 invalid token"],
    ["an address where nothing answers", `{ baseURL: "https://elsewhere.test" }`, "APIConnectionError 14 unavailable"],
    ["a trailing slash", `{ baseURL: "https://boxd.sh:9443/" }`, "APIStatusError 12 unknown service"],
  ])("refuses %s", (_title, options, expected) => {
    expect(run(`await new Boxd(${options}).machines.list().catch(show);`).stdout).toBe(`${expected}\n`);
  });

  test("reports a call that broke the port, even a swallowed one", () => {
    run(
      `try { new Boxd({ apiUrl: "x" }) } catch {} await new Boxd().machines.create({ name: "m", region: "nyc" }).catch(() => {});`,
    );
    expect(standIn.report().violations).toEqual([
      "new Boxd: unknown option `apiUrl`",
      "machines.create: unknown option `region`",
    ]);
  });
});
