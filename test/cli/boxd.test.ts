import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { processesSupported, TEST_KEY } from "../support/boxd-fake/index.ts";
import {
  makeStandIn,
  type PlainFault,
  type StandIn,
  type StandInSettings,
} from "../support/boxd-sdk-stand-in/stand-in.ts";
import { main } from "../../src/cli/main.ts";
import { BIN, plainEnv, runCli } from "./built.ts";
import { fakeIo } from "./fake-io.ts";

/** Run against the stand-in for `@boxd-sh/sdk`, whose machines are processes of this computer. Nothing here is boxd itself. */
describe.skipIf(!processesSupported)(
  `boxd commands${processesSupported ? "" : " (skipped: the fake's machines need /proc)"}`,
  () => {
    let standIn: StandIn;
    const empty = mkdtempSync(join(tmpdir(), "qm-boxd-cli-"));
    beforeAll(async () => void (standIn = await makeStandIn()));
    afterAll(() => standIn.dispose());

    function boxd(
      args: readonly string[],
      settings: StandInSettings = {},
      faults: readonly PlainFault[] = [],
      more: { env?: Record<string, string>; cwd?: string } = {},
    ) {
      // What a whole smoke runs in its machine ends by real time.
      const rate = args[0] === "smoke" ? 1 : 8;
      const env = { ...standIn.env({ rate, ...settings }, faults), BOXD_API_KEY: TEST_KEY, ...more.env };
      const ran = runCli(["boxd", ...args], { cwd: more.cwd ?? empty, env, nodeArgs: standIn.nodeArgs });
      expect(ran.stdout + ran.stderr).not.toContain(TEST_KEY);
      return ran;
    }

    const OLD = {
      name: "qmdeploy-smoke-000000000001",
      labels: { "managed-by": "qm-deploy" },
      status: "suspended" as const,
    };
    const FOREIGN = { name: "qmdeploy-smoke-000000000002", labels: { "managed-by": "somebody" } };
    const OTHER = { name: "acme-qm-ada-0a1b2c", labels: { "managed-by": "qm-deploy", "qm-scope": "personal:ada" } };
    const OURS = [
      OTHER,
      { name: "box-of-a-script", labels: { "managed-by": "qm-deploy" } },
      {
        name: "paperclip-000000000003",
        labels: { "paperclip-provider": "boxd", "paperclip-environment": "env-1", "paperclip-run": "run-1" },
      },
      { name: "openenv-000000000004", labels: { "managed-by": "openenv" } },
      // Made through an SDK that drops labels: its name tells.
      { name: "qm-scratch-job-0a1b2c" },
    ];

    test("smoke proves a key and leaves nothing", () => {
      const { status, stdout } = boxd(["smoke"]);
      expect(stdout).toMatch(/ok +delete it, confirmed[^]*boxd works: 9 steps passed; nothing is left on boxd/);
      expect(status).toBe(0);
      expect(standIn.report()).toMatchObject({
        survivors: [],
        processes: [],
        violations: [],
        clients: { opened: 1, closed: 1 },
      });
    });

    test("smoke --format json has stdout to itself, and --keep names what stays", () => {
      const { status, stdout, stderr } = boxd(["smoke", "--keep", "--format", "json"]);
      const report = JSON.parse(stdout) as { version: number; ok: boolean; left: { name: string } };
      expect(report).toMatchObject({ version: 1, ok: true, problem: null });
      expect(Object.keys(report.left).sort()).toEqual(["id", "name"]);
      expect(stderr).toContain(`boxd rm ${report.left.name}`);
      expect(standIn.report().survivors).toMatchObject([
        { name: report.left.name, labels: { "managed-by": "qm-deploy" } },
      ]);
      expect(status).toBe(0);
    });

    test("smoke with a machine that does not start fails, and leaves nothing", () => {
      const { status, stdout } = boxd(["smoke"], { rate: 8, bootEnds: ["failed", "failed", "failed", "failed"] });
      expect(stdout).toMatch(/failed create a machine/);
      expect(status).toBe(1);
      expect(standIn.report().survivors).toEqual([]);
    });

    test("Ctrl-C cleans up and says so", async () => {
      const child = spawn(process.execPath, [...standIn.nodeArgs, "--", BIN, "boxd", "smoke"], {
        cwd: empty,
        env: { ...plainEnv(), ...standIn.env(), BOXD_API_KEY: TEST_KEY },
      });
      let out = "";
      child.stdout.on("data", (chunk: Buffer) => {
        out += chunk.toString();
        if (out.includes("run a command") && !child.killed) child.kill("SIGINT");
      });
      const status = await new Promise((resolve) => child.on("exit", resolve));
      expect(out).toMatch(/interrupted: cleaning up[^]*interrupted; nothing is left on boxd/);
      expect(status).toBe(1);
      expect(standIn.report().survivors).toEqual([]);
    });

    /** Sends each signal once what is printed shows its text; answers the status and what was printed. */
    async function interruptedSmoke(
      args: readonly string[],
      faults: readonly PlainFault[],
      plan: readonly (readonly [text: string, signal: NodeJS.Signals, afterMs?: number])[],
      settings: StandInSettings = {},
    ) {
      const child = spawn(process.execPath, [...standIn.nodeArgs, "--", BIN, "boxd", "smoke", ...args], {
        cwd: empty,
        env: { ...plainEnv(), ...standIn.env(settings, faults), BOXD_API_KEY: TEST_KEY },
      });
      const waiting = [...plan];
      let out = "";
      const hear = (chunk: Buffer): void => {
        out += chunk.toString();
        while (waiting[0] !== undefined && out.includes(waiting[0][0])) {
          const [, signal, afterMs = 0] = waiting.shift() as (typeof plan)[number];
          setTimeout(() => child.kill(signal), afterMs);
        }
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      const status = await new Promise((resolve) => child.on("close", resolve));
      expect(out).not.toContain(TEST_KEY);
      return { status, out };
    }

    test("a Ctrl-C that npx passes on once more is one; SIGTERM and closing the terminal clean up as well", async () => {
      for (const [first, second] of [
        ["SIGINT", "SIGINT"],
        ["SIGTERM", "SIGTERM"],
        ["SIGHUP", "SIGINT"],
      ] as const) {
        const { status, out } = await interruptedSmoke(
          [],
          [],
          [
            ["run a command", first],
            ["interrupted", second],
          ],
          // A second signal counts as the first one again within a second, which is two here.
          { rate: 0.5 },
        );
        expect(out).toMatch(/interrupted; nothing is left on boxd/);
        expect(status).toBe(1);
        expect(standIn.report().survivors).toEqual([]);
      }
    });

    test("a second Ctrl-C ends a clean-up that hangs, and says what is left and how to remove it", async () => {
      const { status, out } = await interruptedSmoke(
        ["--format", "json"],
        [{ method: "machines.delete", times: "always", stall: true }],
        [
          ["run a command", "SIGINT"],
          ["interrupted", "SIGINT", 1_500],
        ],
      );
      const [left] = standIn.report().survivors;
      expect(out).toContain(`remove it with: qm-deploy boxd rm ${left?.name}`);
      expect(out).toMatch(/"ok": false/);
      expect(status).toBe(1);
    });

    test("a connection that does not close, or complains about closing, changes nothing", () => {
      for (const close of ["stalls", "throws"] as const) {
        const { status, stdout, stderr } = boxd(["list", "--format", "json"], { close, machines: [OLD] });
        expect(JSON.parse(stdout)).toMatchObject({ ok: true, machines: [{ name: OLD.name }] });
        expect(stderr).toBe("using @boxd-sh/sdk of unknown version\n");
        expect(status).toBe(0);
        expect(
          boxd(["rm", "--all", "--yes"], { close, machines: [OLD] }, [
            { method: "machines.delete", times: "always", error: { code: 7, message: "no" } },
          ]).status,
        ).toBe(1);
      }
    });

    test("what boxd sends cannot move the cursor or reorder what is read", () => {
      const rows = [
        {
          id: "vm-1\u001b[2J",
          name: "qmdeploy-smoke-1\u202e",
          status: "run\u0007ning",
          labels: { "managed-by": "qm-deploy", "qm-scope": "a\u001b[2Jb\u202e" },
          createdAt: "2026-01-01T00:00:00Z",
          deleteAt: 1_767_225_600_000,
        },
      ];
      const faults: PlainFault[] = [{ method: "machines.list", times: "always", answer: rows }];
      for (const args of [["list"], ["list", "--format", "json"], ["rm", "--all"], ["rm", "x\u202e"]]) {
        const { stdout, stderr } = boxd(args, {}, faults);
        expect(stdout + stderr, args.join(" ")).not.toMatch(/[\u001b\u0007\u202e]/);
      }
      const { machines } = JSON.parse(boxd(["list", "--format", "json"], {}, faults).stdout) as { machines: object[] };
      expect(machines).toEqual([
        {
          name: rows[0]?.name,
          id: rows[0]?.id,
          kind: "qm",
          owner: "a\u001b[2Jb\u202e",
          state: rows[0]?.status,
          createdAt: "2026-01-01T00:00:00.000Z",
          deletesAt: "2026-01-01T00:00:00.000Z",
        },
      ]);
      const refused = boxd(["list"], {}, [
        { method: "machines.list", times: "always", error: { code: 7, message: `no \u001b[2J\u202e ${TEST_KEY}` } },
      ]);
      expect(refused.status).toBe(1);
      expect(refused.stderr).not.toMatch(/[\u001b\u202e]/);
    });

    test("a refused key is said as such, and costs one call", () => {
      const { status, stdout } = boxd(["smoke"], { apiKeys: ["bxd_another"] });
      expect(stdout).toMatch(/failed create a machine[^]*key/i);
      expect(status).toBe(1);
    });

    test("list shows what every part of the toolkit made, for what and whom, and wakes none", () => {
      const { stdout, status } = boxd(["list"], { machines: [OLD, FOREIGN, ...OURS] });
      const rows = stdout.split("\n").map((line) => line.split(/ {2,}/));
      expect(rows[0]).toEqual(["NAME", "KIND", "STATE", "AGE", "DELETED IN", "ID", "OWNER"]);
      const told = rows.slice(1, -1).map(([name = "", kind, state, , , , owner]) => [name, kind, state, owner]);
      expect(told).toEqual([
        ["acme-qm-ada-0a1b2c", "qm", "running", "personal:ada"],
        ["box-of-a-script", "other", "running", "-"],
        ["openenv-000000000004", "openenv", "running", "-"],
        ["paperclip-000000000003", "paperclip", "running", "env-1 run-1"],
        ["qm-scratch-job-0a1b2c", "scratch", "running", "-"],
        [OLD.name, "smoke", "suspended", "-"],
      ]);
      expect(status).toBe(0);
      expect(standIn.report().calls.map((call) => call.method)).not.toContain("machines.resume");
      expect(boxd(["list"]).stdout).toBe("no machines\n");
    });

    test.each([
      [["--kind", "paperclip"], ["paperclip-000000000003"]],
      [["--owner", "ada"], ["acme-qm-ada-0a1b2c"]],
      [["--prefix", "qm-scratch"], ["qm-scratch-job-0a1b2c"]],
      [["--kind", "qm", "--prefix", "qm"], []],
    ])("list %s shows %s alone", (filters, names) => {
      const { stdout } = boxd(["list", ...filters, "--format", "json"], { machines: [OLD, FOREIGN, ...OURS] });
      const { machines } = JSON.parse(stdout) as { machines: { name: string }[] };
      expect(machines.map(({ name }) => name)).toEqual(names);
    });

    test("rm asks first; with --yes it deletes ours and nobody else's", () => {
      const asked = boxd(["rm", OLD.name], { machines: [OLD] });
      expect(asked.status).toBe(1);
      expect(asked.stderr).toContain("--yes");
      expect(standIn.report().survivors).toHaveLength(1);
      for (const args of [["rm"], ["rm", "--yes"], ["rm", "--all", OLD.name], ["rm", "--all", "--kind", "qm"]])
        expect(boxd(args, { machines: [OLD] }).status, args.join(" ")).toBe(2);
      const { status, stdout } = boxd(["rm", "--yes", "--kind", "smoke"], { machines: [OLD, FOREIGN, OTHER] });
      expect(stdout).toBe(`deleted  ${OLD.name}\n`);
      expect(status).toBe(0);
      expect(
        standIn
          .report()
          .survivors.map((machine) => machine.name)
          .sort(),
      ).toEqual([OTHER.name, FOREIGN.name]);
      boxd(["rm", "--yes", "--all"], { machines: [OLD, FOREIGN, OTHER] });
      expect(standIn.report().survivors).toMatchObject([{ name: FOREIGN.name }]);
    });

    test("a program gets one object, also where nothing came of it", () => {
      const keyless = boxd(["list", "--format", "json"], {}, [], { env: { BOXD_API_KEY: "" } });
      expect([JSON.parse(keyless.stdout), keyless.status]).toEqual([
        { version: 1, ok: false, problem: expect.stringContaining("BOXD_API_KEY") },
        2,
      ]);
      const machine = {
        name: OLD.name,
        id: expect.any(String),
        kind: "smoke",
        owner: null,
        state: expect.any(String),
        createdAt: expect.any(String),
        deletesAt: null,
      };
      const asked = boxd(["rm", "--all", "--format", "json"], { machines: [OLD] });
      expect([JSON.parse(asked.stdout), asked.status]).toEqual([
        {
          version: 1,
          ok: false,
          machines: [{ ...machine, deleted: false, problem: "nobody confirmed it" }],
          problem: null,
        },
        1,
      ]);
      const removed = boxd(["rm", "--all", "--yes", "--format", "json"], { machines: [OLD] });
      expect([JSON.parse(removed.stdout), removed.status]).toEqual([
        { version: 1, ok: true, machines: [{ ...machine, deleted: true, problem: null }], problem: null },
        0,
      ]);
    });

    test("rm of a name that is not listed deletes nothing and suggests", () => {
      const { status, stderr } = boxd(["rm", "--yes", "qmdeploy-smoke-000000000003"], { machines: [OLD] });
      expect(status).toBe(2);
      expect(stderr).toContain(`did you mean \`${OLD.name}\``);
      expect(standIn.report().survivors).toHaveLength(1);
    });

    test("rm says which machine it could not see go", () => {
      const { status, stdout } = boxd(["rm", "--all", "--yes"], { machines: [OLD] }, [
        { method: "machines.delete", times: "always", error: { code: 7, message: "no" } },
      ]);
      expect(status).toBe(1);
      expect(stdout).toMatch(new RegExp(`^failed   ${OLD.name}: `));
    });

    test.each([
      { code: 14, message: "no route" },
      { code: 16, message: "could not reach https://app.boxd.sh/exchange: fetch failed" },
    ])("a fault of the network ($code) is waited out, and what is waited for is said", (error) => {
      const faults: PlainFault[] = [{ method: "machines.list", times: 3, error }];
      const { status, stdout, stderr } = boxd(["list"], { machines: [OLD] }, faults);
      expect([status, stdout.split("\n").length]).toEqual([0, 3]);
      expect(
        stderr.match(/list machines: (?:no route|could not reach \S+ fetch failed); trying again for \d+ s/g),
      ).toHaveLength(1);
    });

    test("key, org and base URL come from the deployment before the environment", () => {
      const cwd = mkdtempSync(join(tmpdir(), "qm-boxd-dir-"));
      const config = {
        contract: 1,
        orgId: "acme",
        publicUrl: "https://qm.acme.dev",
        target: "docker",
        services: ["core", "web-ui"],
        sandbox: { backend: "boxd" },
      };
      writeFileSync(
        join(cwd, "qm.config.jsonc"),
        JSON.stringify({ ...config, env: { core: { BOXD_ORG: "acme", BOXD_BASE_URL: "https://boxd.acme.dev:9443" } } }),
      );
      writeFileSync(join(cwd, ".env"), `BOXD_API_KEY='${TEST_KEY}'\n`, { mode: 0o600 });
      const settings = { baseURLs: ["https://boxd.acme.dev:9443"], org: { id: "org-1", slug: "acme" } };
      const ran = boxd(["list"], settings, [], {
        cwd,
        env: { BOXD_API_KEY: "bxd_wrong", BOXD_BASE_URL: "https://elsewhere.dev" },
      });
      expect(ran).toMatchObject({ status: 0, stdout: "no machines\n" });
      expect(standIn.report().calls.find((call) => call.method === "machines.list")?.args).toEqual([{ org: "acme" }]);
    });
  },
);

test.each([
  ["BOXD_BASE_URL", "http://boxd.example:9443"],
  ["BOXD_BASE_URL", "http://user:s3cret-word@127.0.0.1:1"],
  ["BOXD_BASE_URL", "ftp://boxd.example"],
  ["BOXD_BASE_URL", "https://boxd.example/api"],
  ["BOXD_API_URL", "https://s3cret-word@boxd.example"],
  ["BOXD_ORG", "s3cret-word s3cret-word"],
])("no command asks boxd for anything with %s=%s", async (name, value) => {
  const cwd = mkdtempSync(join(tmpdir(), "qm-boxd-address-"));
  const env = { BOXD_API_KEY: TEST_KEY, [name]: value };
  for (const args of [["list"], ["rm", "--all", "--yes"], ["smoke"]]) {
    const io = fakeIo(["boxd", ...args], { cwd, env });
    expect([await main(io), io.out]).toEqual([2, ""]);
    expect(io.err).toMatch(new RegExp(`^error: ${name} (?:must|is not)[^\\n]*\\n$`));
    expect(io.err).not.toContain("s3cret-word");
  }
});

test("without a key or without the SDK the command says what to do", () => {
  const cwd = mkdtempSync(join(tmpdir(), "qm-boxd-none-"));
  expect(runCli(["boxd", "list"], { cwd })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("qm-deploy secrets set BOXD_API_KEY") as string,
  });
  const { status, stderr } = runCli(["boxd", "list"], { cwd, env: { BOXD_API_KEY: TEST_KEY } });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^error: [^\n]*npm install "@boxd-sh\/sdk@>=0\.2\.20 <0\.4"[^\n]*\n$/);
});
