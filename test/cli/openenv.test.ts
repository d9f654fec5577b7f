import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { Readable } from "node:stream";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { decodeHandle, encodeHandle } from "../../src/boxd/openenv/machine-handle.ts";
import { DOMAIN, processesSupported, TEST_KEY } from "../support/boxd-fake/index.ts";
import {
  makeStandIn,
  type PlainFault,
  type StandIn,
  type StandInSettings,
} from "../support/boxd-sdk-stand-in/stand-in.ts";
import { BIN, plainEnv, ROOT, runCli } from "./built.ts";
import { fakeIo } from "./fake-io.ts";

const DOCKER = `#!/bin/sh\nexec node '${join(ROOT, "test/boxd/openenv/docker-stand-in.mjs")}' "$@"\n`;
const SETTINGS: StandInSettings = { tools: { docker: DOCKER }, rate: 4 };
const NAME = "acme-0123456789ab";
const sdkInstalled = existsSync(join(ROOT, "node_modules/@boxd-sh/sdk"));

interface Answer {
  ok: boolean;
  code: string | null;
  problem: string | null;
  faults: { path: string; line: number; column: number; message: string }[];
  [field: string]: unknown;
}

describe("requests", () => {
  /** In this process: what is refused never asks for a client. */
  async function refused(verb: string, request: string, env: Record<string, string> = { BOXD_API_KEY: TEST_KEY }) {
    const io = fakeIo(["openenv", verb], { stdin: Readable.from([request]), env });
    const status = await main(io);
    expect(io.out + io.err).not.toContain(TEST_KEY);
    const answer = JSON.parse(io.out) as Answer;
    expect(answer.ok).toBe(false);
    return { status, answer, err: io.err };
  }

  test.each([
    ["start", "", ["a request is needed"]],
    ["start", "[]", ["cannot be used"]],
    ["start", '{"public": true,\n "image": }', [2]],
    [
      "start",
      '{"public": true, "image": "a",\n "imagee": 1}',
      ["imagee 2:2 `start` takes no such field; did you mean `image`?"],
    ],
    [
      "start",
      '{"image": 5, "vcpu": "4",\n "labels": {"Team": "x", "ok": "y"},\n "envVars": {"A-B": "x", "C": "a\\nb", "D": "d"}}',
      [
        "public 1:1",
        "image 1:11 the image must be a name",
        "vcpu 1:22",
        "labels.Team 2:21",
        "envVars.A-B 3:21",
        "envVars.C 3:31 the value of `envVars.C` must be a single line",
      ],
    ],
    [
      "start",
      '{"public": true, "image": "a", "port": 80, "deleteAfterSeconds": 0}',
      ["port 1:40", "deleteAfterSeconds 1:66"],
    ],
    ["start", '{"public": true, "image": "a", "name": "A", "org": 1}', ["name 1:40", "org 1:52"]],
    [
      "start",
      '{"public": true, "image": "a\\nb", "memory": "lots", "org": "a\\nb",\n "egressAllow": ["a.example", "https://a.example"], "labels": {"team": "a\\nb"}}',
      [
        "image 1:27 the image must be a name",
        "memory 1:45 `memory` must be 4G, 8G, 16G or 32G",
        "org 1:60 `org`: ",
        "egressAllow[1] 2:31 `egressAllow`: an entry must be a host",
        "labels.team 2:72 the value of label",
      ],
    ],
    [
      "start",
      '{"public": true, "image": "a", "vcpu": 2, "memory": "4G", "name": "a-b", "namePrefix": "a",\n "egressAllow": ["none", "a.example"]}',
      [
        "memory 1:53 `memory` 4G is that of 1 vCPU: a machine of 2 has 8G",
        "name 1:67 `name` is the machine's whole name",
        'egressAllow 2:17 `egressAllow`: "none" allows nothing',
      ],
    ],
    ...[
      "http://user:s3cret-word@boxd.example/x?token=s3cret-word",
      "ftp://boxd.example",
      "not a url",
      "http://boxd.example",
    ].map(
      (address) =>
        ["start", JSON.stringify({ public: true, image: "a", baseURL: address }), ["baseURL 1:38 `baseURL` "]] as const,
    ),
    ["stop", '{"name": "a-b", "baseURL": "http://boxd.example"}', ["baseURL 1:28 `baseURL` must be https"]],
    ["wait", "{}", [" 1:1 `handle` is needed"]],
    ["wait", '{"handle": "openenv1.e30", "timeoutMs": -1}', ["handle 1:12", "timeoutMs 1:41"]],
    [
      "start",
      '{"public": true, "image": "a", "dockerfile": {"path": 1}}',
      ["dockerfile 1:46", " 1:1 `image` or `dockerfile` is needed, one of them"],
    ],
    ["stop", `{"handle": "openenv1.e30", "name": "a-b"}`, ["handle 1:12", " 1:1 `handle` or `name` is needed"]],
  ] as const)("%s refuses %s with the place of each fault", async (verb, request, expected) => {
    const { status, answer, err } = await refused(verb, request);
    expect([status, answer.code]).toEqual([2, "INVALID_REQUEST"]);
    expect(JSON.stringify(answer) + err).not.toContain("s3cret-word");
    const faults = answer.faults.map(({ path, line, column, message }) => `${path} ${line}:${column} ${message}`);
    const found = [answer.problem, ...faults, ...answer.faults.map(({ line }) => line)];
    for (const each of expected) {
      const isFound = found.some((one) => (typeof each === "number" ? one === each : String(one).includes(each)));
      expect(isFound, `${each} in ${JSON.stringify(found)}`).toBe(true);
    }
    if (expected.length > 1) expect(answer.faults).toHaveLength(expected.length);
    for (const { path, line, column } of answer.faults) {
      const shown = err.split("\n").find((one) => one.includes(`<stdin>:${line}:${column} `)) ?? "";
      expect(shown.split(`\`${path}\``).length, `\`${path}\` once in ${shown}`).toBeLessThan(3);
    }
  });

  test("a value that may be secret is in no refusal", async () => {
    const request = { image: 7, envVars: { A: "line\nhunter2hunter2" }, apiKey: TEST_KEY };
    const { answer, err } = await refused("start", JSON.stringify(request));
    expect(JSON.stringify(answer) + err).not.toContain("hunter2");
  });

  test.each(
    ["start", "stop"].flatMap((verb) => [
      [verb, "BOXD_BASE_URL", "http://boxd.example", "BOXD_BASE_URL must be https", "http://127.0.0.1:1"],
      [verb, "BOXD_API_URL", "http://boxd.example", "BOXD_API_URL must be https", "http://127.0.0.1:1"],
      [verb, "BOXD_ORG", "Acme Inc.", "BOXD_ORG is not an org slug", "acme"],
    ]),
  )("before %s begins, the environment's %s is judged", async (verb, name, value, says, good) => {
    const request = verb === "start" ? '{"public": true, "image": "a"}' : '{"name": "a-b"}';
    const env = { BOXD_API_KEY: TEST_KEY, [name as string]: value as string };
    const { status, answer } = await refused(verb as string, request, env);
    expect([status, answer.code, answer.problem]).toEqual([
      2,
      "INVALID_REQUEST",
      expect.stringContaining(String(says)),
    ]);
    const field = name === "BOXD_ORG" ? "org" : "baseURL";
    const own = request.replace("{", `{"${field}": "${good}", `);
    // What the request says goes before it.
    if (!sdkInstalled) expect((await refused(verb as string, own, env)).answer.code).toBe("NO_SDK");
  });

  test("a proxy whose login cannot be decoded is refused by its variable's name, where it is gone through", async () => {
    const handle = encodeHandle({ name: NAME, id: "vm-1", url: `https://${NAME}.${DOMAIN}`, expiresAt: null });
    const env = { BOXD_API_KEY: TEST_KEY, HTTPS_PROXY: "http://user:s3cret-word%@proxy.example" };
    const { status, answer, err } = await refused("wait", JSON.stringify({ handle }), env);
    expect([status, answer.code, answer.problem]).toEqual([
      2,
      "INVALID_REQUEST",
      expect.stringContaining("HTTPS_PROXY has a user or password"),
    ]);
    expect(JSON.stringify(answer) + err).not.toContain("s3cret-word");
    // A stop goes to boxd alone, and must not fail for it.
    if (!sdkInstalled) expect((await refused("stop", JSON.stringify({ handle }), env)).answer.code).toBe("NO_SDK");
  });

  test("as many labels as boxd takes, the provider's own among them", async () => {
    const labels = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`label-${at}`, "x"]));
    const { status, answer } = await refused("start", JSON.stringify({ public: true, image: "a", labels }));
    expect([status, answer.code, answer.faults[0]?.message]).toEqual([
      2,
      "INVALID_REQUEST",
      "at most 64 labels are allowed",
    ]);
  });

  test.skipIf(sdkInstalled)("without the vendor's package nothing is begun", () => {
    const ran = runCli(["openenv", "stop"], {
      cwd: tmpdir(),
      input: '{"name": "a-b"}',
      env: { BOXD_API_KEY: TEST_KEY },
    });
    const { code, problem } = JSON.parse(ran.stdout) as Answer;
    expect([ran.status, code, problem]).toEqual([
      2,
      "NO_SDK",
      expect.stringContaining('is not installed; install it beside qm-deploy: npm install "@boxd-sh/sdk@>='),
    ]);
  });

  test("without a key, and for a caller of another version, nothing is begun", async () => {
    const keyless = await refused("start", '{"public": true, "image": "a"}', {});
    expect([keyless.status, keyless.answer.code]).toEqual([2, "NO_KEY"]);
    const other = await refused("start", '{"public": true, "image": "a", "toolkit": "9.9.9"}');
    expect([other.status, other.answer.code, other.answer.problem]).toEqual([
      2,
      "VERSION_MISMATCH",
      expect.stringMatching(/this is qm-deploy \d+\.\d+\.\d+.*, and the caller was made for 9\.9\.9/),
    ]);
  });
});

/** Against the stand-in for `@boxd-sh/sdk`, whose machines end with the process. What lives on between commands is `bridge.counterpart.test.ts`. */
describe.skipIf(!processesSupported)(
  `openenv commands${processesSupported ? "" : " (skipped: the fake's machines need /proc)"}`,
  () => {
    let standIn: StandIn;
    const dir = mkdtempSync(join(tmpdir(), "qm-openenv-cli-"));
    beforeAll(async () => void (standIn = await makeStandIn()));
    afterAll(() => {
      standIn.dispose();
      rmSync(dir, { recursive: true, force: true });
    });

    function openenv(
      verb: string,
      request: unknown,
      {
        settings = SETTINGS,
        faults = [],
        env = {},
      }: { settings?: StandInSettings; faults?: PlainFault[]; env?: Record<string, string> } = {},
    ) {
      const input = typeof request === "string" ? request : JSON.stringify(request);
      const ran = runCli(["openenv", verb, "--json"], {
        cwd: dir,
        input,
        env: { ...standIn.env(settings, faults), BOXD_API_KEY: TEST_KEY, ...env },
        nodeArgs: standIn.nodeArgs,
      });
      expect(ran.stdout + ran.stderr, "the key is never printed").not.toContain(TEST_KEY);
      return { ...ran, answer: JSON.parse(ran.stdout) as Answer };
    }

    /** The words of a call of `machines.create`. */
    const created = (): Record<string, unknown> =>
      standIn.report().calls.find(({ method }) => method === "machines.create")?.args[0] as Record<string, unknown>;

    test("start answers handle, address, machine and expiry, and leaves the machine", () => {
      const before = Date.now();
      const request = {
        public: true,
        image: "echo-env:1",
        name: NAME,
        labels: { team: "rl" },
        envVars: { GREETING: "s3cret-greeting" },
        deleteAfterSeconds: 600,
        port: 8000,
      };
      // The prefix is qm's: it says nothing about these machines.
      const { answer, status, stderr } = openenv("start", request, { env: { BOXD_NAME_PREFIX: "qm" } });
      expect([status, stderr]).toEqual([0, ""]);
      const { handle, baseUrl, machine, expiresAt, ...rest } = answer;
      expect(rest).toEqual({ version: 1, ok: true, code: null, problem: null, faults: [] });
      expect(baseUrl).toBe(`https://${NAME}.${DOMAIN}`);
      expect(decodeHandle(String(handle))).toEqual({
        ...(machine as object),
        url: baseUrl,
        expiresAt: new Date(String(expiresAt)),
      });
      expect(Date.parse(String(expiresAt)) - before).toBeGreaterThan(590_000);
      expect(created()).toMatchObject({ name: NAME, labels: { team: "rl", "managed-by": "openenv" }, isolated: true });
      const report = standIn.report();
      expect(report.survivors.map(({ name }) => name)).toEqual([NAME]);
      const secret = report.calls.filter(({ args }) => JSON.stringify(args).includes("s3cret-greeting"));
      expect(secret, "values go in the uploaded file, whose bytes are not reported").toEqual([]);
      expect(report.clients).toEqual({ opened: 1, closed: 1 });
    });

    test("a Dockerfile is built from its context, relative to the working directory", () => {
      mkdirSync(join(dir, "echo", "server"), { recursive: true });
      writeFileSync(join(dir, "echo", "server", "Dockerfile"), "FROM scratch\nCOPY app.py /app.py\n");
      const request = { public: true, dockerfile: { path: "echo/server/Dockerfile" } };
      const refusal = openenv("start", request);
      expect([refusal.status, refusal.answer.faults]).toEqual([
        2,
        [{ path: "dockerfile", line: 1, column: 29, message: expect.stringContaining('"app.py", which is not in') }],
      ]);
      writeFileSync(join(dir, "echo", "app.py"), "print()\n");
      expect(openenv("start", request)).toMatchObject({ status: 0, answer: { ok: true } });
    });

    test("a start that fails leaves nothing and names no address", () => {
      const { status, answer, stdout, stderr } = openenv("start", { public: true, image: "missing", name: NAME });
      expect([status, answer.code]).toEqual([1, "START_FAILED"]);
      expect(answer.problem).toContain("the image could not be pulled (status 1)");
      expect(stdout + stderr).not.toContain(NAME);
      expect(standIn.report()).toMatchObject({ survivors: [], processes: [], violations: [] });
      const shown = openenv("start", { public: true, image: "missing", name: NAME, surfaceServerLogs: true });
      expect(shown.answer.problem).toContain("manifest unknown");
      expect(shown.stderr.split("\n").length, "output keeps its lines").toBeGreaterThan(2);
      expect(shown.stderr).not.toContain("\\n");
    });

    test("a start under a name that is taken does not show it", () => {
      const settings = { ...SETTINGS, machines: [{ name: NAME, labels: { "managed-by": "openenv" } }] };
      const ran = openenv("start", { public: true, image: "echo-env:1", name: NAME }, { settings });
      expect([ran.status, ran.answer.code, ran.answer.problem]).toEqual([
        1,
        "START_FAILED",
        expect.stringContaining("exists already"),
      ]);
      expect(ran.stdout + ran.stderr).not.toContain(NAME);
    });

    test("stop deletes by handle and by name, takes what is gone for stopped, and leaves what is not OpenEnv's", () => {
      const machine = (labels: Record<string, string>) => ({ ...SETTINGS, machines: [{ name: NAME, labels }] });
      const own = machine({ "managed-by": "openenv", team: "rl" });
      expect(openenv("stop", { name: NAME }, { settings: own })).toMatchObject({ status: 0, answer: { ok: true } });
      expect(standIn.report().survivors).toEqual([]);
      const other = openenv("stop", { name: NAME }, { settings: machine({ "managed-by": "somebody" }) });
      expect([other.status, other.answer.code, standIn.report().survivors.length]).toEqual([1, "NOT_OURS", 1]);
      // A handle is a word of the caller's as well, of the machine's id or of its name.
      for (const id of ["vm-1", NAME]) {
        const forged = encodeHandle({
          name: id === NAME ? "a-b" : NAME,
          id,
          url: `https://a.${DOMAIN}`,
          expiresAt: null,
        });
        const kept = openenv("stop", { handle: forged }, { settings: machine({ "managed-by": "somebody" }) });
        expect([kept.status, kept.answer.code, standIn.report().survivors.length]).toEqual([1, "NOT_OURS", 1]);
      }
      expect(openenv("stop", { name: NAME }).status).toBe(0);
      const handle = encodeHandle({ name: NAME, id: "vm-1", url: `https://${NAME}.${DOMAIN}`, expiresAt: null });
      expect(openenv("stop", { handle })).toMatchObject({ status: 0, stdout: expect.stringContaining('"ok": true') });
      const stuck = openenv(
        "stop",
        { name: NAME },
        {
          settings: own,
          faults: [{ method: "machines.delete", times: "always", error: { code: 7, message: `no ${NAME}` } }],
        },
      );
      expect([stuck.status, stuck.answer.code]).toEqual([1, "CLEANUP_FAILED"]);
      expect(stuck.stdout + stuck.stderr).not.toContain(NAME);
    });

    test("wait says that a machine is gone", () => {
      const handle = encodeHandle({ name: NAME, id: "vm-1", url: `https://${NAME}.${DOMAIN}`, expiresAt: null });
      const { status, answer, stdout, stderr } = openenv("wait", { handle, timeoutMs: 20_000 });
      expect([status, answer.code]).toEqual([1, "MACHINE_GONE"]);
      expect(stdout + stderr).not.toContain(NAME);
    });

    test.each(["SIGTERM", "SIGINT"] as const)("%s in the middle of a start leaves nothing", async (signal) => {
      const begun = join(dir, "begun");
      const slow = DOCKER.replace("exec node", `touch ${begun}; sleep 30; exec node`);
      const child = startChild({ ...SETTINGS, tools: { docker: slow } });
      while (!existsSync(begun)) await sleep(20);
      rmSync(begun);
      child.kill(signal);
      const { status, out } = await ended(child);
      expect(status).toBe(signal === "SIGTERM" ? 143 : 130);
      expect(JSON.parse(out)).toMatchObject({ ok: false, code: "ABORTED" });
      expect(standIn.report()).toMatchObject({ survivors: [], processes: [] });
    });

    test("a start whose reader is gone deletes the machine: nobody else could", async () => {
      const child = startChild(SETTINGS);
      child.stdout.destroy();
      expect((await ended(child)).status).toBe(1);
      expect(standIn.report()).toMatchObject({ survivors: [], processes: [] });
      expect(standIn.report().calls.map(({ method }) => method)).toContain("machines.create");
    });

    test.skipIf(!existsSync("/dev/full")).each([
      ["a full disk", '"$@" > /dev/full', "the output cannot be written (ENOSPC)"],
      ["a full disk, for stderr as well", '"$@" > /dev/full 2>&1', ""],
      ["a file that has its limit", 'ulimit -f 0; "$@" > limited', "the output cannot be written (EFBIG)"],
    ])(
      "a start whose answer goes to %s deletes the machine, and does not say that nothing was begun",
      (_, line, says) => {
        // The stand-in's report is a file too: none can be written under the limit.
        const limitless = line.startsWith("ulimit") ? { FAKE_BOXD_REPORT: "/dev/null" } : {};
        const env = plainEnv({ ...standIn.env(SETTINGS), BOXD_API_KEY: TEST_KEY, ...limitless });
        const words = [process.execPath, ...standIn.nodeArgs, "--", BIN, "openenv", "start"];
        const input = JSON.stringify({ public: true, image: "echo-env:1" });
        const ran = spawnSync("bash", ["-c", line, "-", ...words], { cwd: dir, env, input, encoding: "utf8" });
        expect([ran.status, ran.stderr]).toEqual([1, says === "" ? "" : expect.stringContaining(says)]);
        if (limitless.FAKE_BOXD_REPORT !== undefined) return;
        expect(standIn.report()).toMatchObject({ survivors: [], processes: [], clients: { opened: 2, closed: 2 } });
      },
    );

    function startChild(settings: StandInSettings) {
      const env = plainEnv({ ...standIn.env(settings), BOXD_API_KEY: TEST_KEY });
      const child = spawn(process.execPath, [...standIn.nodeArgs, "--", BIN, "openenv", "start"], { cwd: dir, env });
      child.stdin.end(JSON.stringify({ public: true, image: "echo-env:1" }));
      return child;
    }
  },
);

async function ended(child: ReturnType<typeof spawn>): Promise<{ status: number | null; out: string }> {
  let out = "";
  child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
  const status = await new Promise<number | null>((resolve) => {
    child.once("close", resolve);
  });
  return { status, out };
}
