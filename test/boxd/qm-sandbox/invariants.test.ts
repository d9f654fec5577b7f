/** I1 to I8 (docs/contract/boxd-behaviours.md) through the backend, over random sequences of qm's calls and random faults. */
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BoxdSandbox, SandboxHandle } from "../../../src/boxd/qm-sandbox/index.ts";
import {
  countedCommand,
  JumpClock,
  repeatedRuns,
  scenarios,
  TEST_KEY,
  type Fault,
} from "../../support/boxd-fake/index.ts";
import { faultPlans, plannedFault } from "../../support/boxd-fake/random-faults.ts";
import { BYTE_SIZES } from "../../support/byte-sizes.ts";
import { IS_DEEP, runs } from "../../support/runs.ts";
import { hold } from "./hold.ts";
import { OWN, SECRET, STEPS } from "./model.ts";
import { DiskWorkspace, LAYERS, needsProcesses, Rig, SCOPE, skipWithoutProcesses } from "./rig.ts";

const METHODS = [
  "create",
  "get",
  "list",
  "delete",
  "start",
  "resume",
  "wake",
  "reboot",
  "exec",
  "setDeleteAfter",
  "setAutoSuspendTimeout",
  "setAutoHibernateTimeout",
  "files.upload",
  "files.download",
] as const;
const WITH_SKILLS = [...LAYERS, { scopeId: "skills", mountPath: "skills", mode: "ro" as const }];
// Commands run ten times slower than the clock: ending one takes a moment of its own (settleMs below).
const MIB = 1024 * 1024;
const RUNS = runs(3, 30);

describe.skipIf(skipWithoutProcesses)(`invariants through the backend${needsProcesses}`, () => {
  test("I1 I2 I3 I4 I6 I7 over random calls and faults", async () => {
    const workspace = new DiskWorkspace();
    workspace.put("skills", { "SKILL.md": "read me", "deep/er.txt": "é" });
    const steps = fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 6 });
    const first = fc.constantFrom("provision", "provision", "provision-layers", "provision-scratch");
    await fc.assert(
      fc.asyncProperty(
        first,
        steps,
        fc.array(faultPlans(METHODS), { minLength: 1, maxLength: 3 }),
        async (begin, then, faults) => {
          await hold(workspace, [begin, ...then], faults);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
    workspace.remove();
  }, 600_000);

  test("I2 a machine that is torn down without a word is gone, whatever goes wrong with it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(faultPlans(["get", "list"]), { minLength: 1, maxLength: 3 }),
        async (scratch, faults) => {
          await using rig = new Rig();
          const told: string[] = [];
          const sandbox = rig.another({
            driver: { clock: new JumpClock(rig.plane), times: { callMs: 2_000, settleMs: 20_000 } },
            onError: ({ message }) => told.push(message),
          });
          const handle = await sandbox.provision(LAYERS, scratch ? { scratch: { key: "job" } } : {});
          for (const fault of faults) rig.plane.faults.inject(plannedFault(fault, TEST_KEY));
          await sandbox.teardown(handle, { destroy: true }).catch((error: Error) => told.push(error.message));
          if (told.length === 0) expect(rig.plane.survivors().map(({ name }) => name)).toEqual([]);
          for (const text of told) expect(text, "I1").toContain(handle.id);
          rig.plane.faults.clear();
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  }, 600_000);

  test("I3 I4 a command and a process start at most once and show no secret, whatever goes wrong with their calls", async () => {
    const plans = faultPlans([
      ...Array<string>(12).fill("exec"),
      "files.upload",
      "files.upload",
      "get",
      "start",
      "resume",
    ]);
    const state = fc.constantFrom("running", "running", "suspended", "stopped");
    await fc.assert(
      fc.asyncProperty(
        state,
        fc.boolean(),
        fc.array(plans, { minLength: 1, maxLength: 2 }),
        async (begin, process, faults) => {
          await using rig = new Rig();
          const texts: string[] = [];
          const sandbox = rig.another({
            driver: { clock: new JumpClock(rig.plane), times: { callMs: 2_000, settleMs: 20_000 } },
            onError: ({ message }) => texts.push(message),
          });
          const handle = await sandbox.provision(LAYERS, { env: { TOKEN: SECRET } });
          await rig.machine.force(begin);
          for (const fault of faults) rig.plane.faults.inject(plannedFault(fault, TEST_KEY));
          const work = process
            ? sandbox.startProcess(handle, `${countedCommand(0)}; : ${SECRET}`)
            : sandbox.run(handle, countedCommand(0), { timeoutMs: 8_000 });
          texts.push(
            await work.then(JSON.stringify, (error: Error) => `${String(error.stack)} ${String(error.cause)}`),
          );
          expect(repeatedRuns(rig.plane), "I3").toEqual([]);
          for (const secret of [SECRET, TEST_KEY]) {
            expect(texts.join(), "I4").not.toContain(secret);
            expect(rig.plane.recorder.leaksOf(secret), "I4").toEqual([]);
          }
          rig.plane.faults.clear();
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  }, 600_000);

  test("I6 a command that is said to have ended has no processes left, whatever goes wrong with ending it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(faultPlans([...Array<string>(12).fill("exec"), "get"]), { maxLength: 1 }),
        async (faults) => {
          await using rig = new Rig();
          const told: string[] = [];
          const sandbox = rig.another({
            driver: { clock: new JumpClock(rig.plane), times: { callMs: 2_000, settleMs: 20_000 } },
            onError: ({ message }) => told.push(message),
          });
          const handle = await sandbox.provision(LAYERS);
          for (const fault of faults) rig.plane.faults.inject(plannedFault(fault, TEST_KEY));
          const result = await sandbox
            .run(handle, "sleep 86399 & sleep 86399", { timeoutMs: 4_000 })
            .catch((error: Error) => {
              if (!error.message.includes("is not running any more")) told.push(error.message);
            });
          const left = rig.machine
            .processes()
            .map(({ argv }) => argv.join(" "))
            .filter((line) => line === "sleep 86399");
          if (told.length === 0) expect(left).toEqual([]);
          if (faults.length === 0) expect([result?.code, told]).toEqual([124, []]);
          rig.plane.faults.clear();
        },
      ),
      { numRuns: Math.ceil(RUNS / 2), endOnFailure: true },
    );
  }, 600_000);

  const READY = 180_000;
  const TRANSFER = 300_000;
  type Call = (sandbox: BoxdSandbox, handle: SandboxHandle, processId: string) => Promise<unknown>;
  // By operation: its time when boxd answers nothing, and when only the machine does not. A command that is given up takes a second of the latter to end.
  test.each<[string, number, number, Call]>([
    // The last files of a layer are sent in a time of their own.
    ["provision", TRANSFER, 60_000, (sandbox) => sandbox.provision(WITH_SKILLS)],
    // What could not be prepared is deleted, in a minute of its own.
    [
      "provision of a scratch machine",
      TRANSFER + 61_000,
      READY + 20_000,
      (sandbox) => sandbox.provision(LAYERS, { scratch: { key: "job" } }),
    ],
    ["run", READY, 2_000, (sandbox, handle) => sandbox.run(handle, "true", { timeoutMs: 2_000 })],
    ["readFile", TRANSFER, TRANSFER, (sandbox, handle) => sandbox.readFile(handle, "f")],
    ["writeFile", TRANSFER, TRANSFER, (sandbox, handle) => sandbox.writeFile(handle, "f", "x")],
    [
      "extractFiles",
      TRANSFER,
      TRANSFER,
      (sandbox, handle) => sandbox.extractFiles(handle, [{ path: "f", data: Buffer.from("x") }]),
    ],
    ["listDir", READY, 60_000, (sandbox, handle) => sandbox.listDir(handle, "")],
    ["removeDir", READY, 60_000, (sandbox, handle) => sandbox.removeDir(handle, "d")],
    // A step that fails is tidied up after, in a second time of the same length.
    ["backupComputer", TRANSFER + READY, 60_000, (sandbox, handle) => sandbox.backupComputer(handle)],
    ["startProcess", READY, 20_000, (sandbox, handle) => sandbox.startProcess(handle, "true")],
    ["readProcess", READY, 25_000, (sandbox, handle, id) => sandbox.readProcess(handle, id, { waitMs: 5_000 })],
    ["writeStdin", READY, 20_000, (sandbox, handle, id) => sandbox.writeStdin(handle, id, "x")],
    ["signalProcess", READY, 20_000, (sandbox, handle, id) => sandbox.signalProcess(handle, id, "TERM")],
    ["listProcesses", READY, 20_000, (sandbox, handle) => sandbox.listProcesses(handle)],
    ["computerStatus", 15_000, 15_000, (sandbox) => sandbox.computerStatus(SCOPE)],
    ["restartComputer", READY, READY, (sandbox) => sandbox.restartComputer(SCOPE)],
    // It asks the machine nothing; its looks are spread over seconds.
    ["teardown", 60_000, 2_000, (sandbox, handle) => sandbox.teardown(handle, { destroy: true })],
    [
      "teardown by a backend that knows no id",
      60_000,
      2_000,
      (sandbox, handle) => sandbox.teardown(handle, { destroy: true }),
    ],
  ])(
    "I5 %s ends within %i ms and a second when boxd answers nothing from any of its calls on, within %i when the machine does not",
    async (name, silent, deaf, call) => {
      await using rig = new Rig();
      rig.workspace.put("skills", { "SKILL.md": "read me" });
      const clock = new JumpClock(rig.plane, 0);
      // From each call on in the deep run, else from the first ones and then from every fourth.
      for (let nth = 0, struck = true; struck; nth += IS_DEEP || nth < 2 ? 1 : 4) {
        await using sandbox = rig.another({ driver: { clock } });
        const handle = await sandbox.provision(LAYERS);
        const processId = /Process|Stdin/.test(name) ? (await sandbox.startProcess(handle, "sleep 300")).processId : "";
        const [most, methods] =
          nth === 0 ? ([deaf, ["machines.exec", "machines.files.*"]] as const) : ([silent, ["*"]] as const);
        for (const method of methods)
          rig.plane.faults.inject(scenarios.stalled(method, "before", { nth: Math.max(1, nth), times: Infinity }));
        const before = clock.now();
        await using fresh = rig.another({ driver: { clock } });
        await Promise.allSettled([call(name.includes("knows no id") ? fresh : sandbox, handle, processId)]);
        const took = clock.now() - before;
        expect(took, `from call ${String(nth)} on`).toBeLessThanOrEqual(most + 1_000);
        if (nth < 2 && most > 0) expect(took, "it did wait").toBeGreaterThan(1_000);
        struck = nth === 0 || rig.plane.faults.unused().length === 0;
        rig.plane.faults.clear();
        if (name.includes("scratch")) await sandbox.teardown(OWN[1] as SandboxHandle, { destroy: true });
      }
    },
    60_000,
  );

  test.each<[string, readonly Fault[]]>([
    ["nothing wrong", []],
    [
      "output capped at one message and decoded in pieces",
      [scenarios.becomes({ outputCap: 4 * MIB }, "*"), scenarios.charactersSplit(7, { times: Infinity })],
    ],
    [
      "every fourth answer of a command lost",
      [3, 7, 11, 15].map((nth) => scenarios.answerLost("machines.exec", 14, { nth })),
    ],
    [
      "short writes, and downloads that break",
      [
        scenarios.shortUpload(),
        scenarios.cutUpload(true, { nth: 3 }),
        scenarios.answerLost("machines.files.download", 4),
        scenarios.refused("machines.files.download", 14, "unavailable", { nth: 3 }),
      ],
    ],
  ])("I7 what is written is read, of every size: %s", async (_title, faults) => {
    await using rig = new Rig();
    const handle = await rig.provision();
    for (const fault of faults) rig.plane.faults.inject(fault);
    for (const size of BYTE_SIZES) {
      const data = new Uint8Array(randomBytes(size));
      await rig.sandbox.writeFileBytes(handle, "file", data);
      expect(same(await rig.sandbox.readFileBytes(handle, "file"), data), `${String(size)} bytes`).toBe(true);
    }
    expect(rig.plane.faults.unused()).toEqual([]);
  });

  test("I7 without the file calls everything is read all the same, and a write is refused and changes nothing", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    for (const size of BYTE_SIZES) {
      const data = new Uint8Array(randomBytes(size));
      rig.plane.quirks.fileApi = true;
      await rig.sandbox.writeFileBytes(handle, "file", data);
      rig.plane.quirks.fileApi = false;
      await expect(rig.sandbox.writeFileBytes(handle, "file", randomBytes(9))).rejects.toThrow("boxd write");
      expect(same(await rig.sandbox.readFileBytes(handle, "file"), data), `${String(size)} bytes`).toBe(true);
    }
    expect(await rig.sandbox.readFileBytes(handle, "none")).toBeNull();
    expect(await rig.sandbox.listDir(handle, "")).toEqual(["file"]);
  });

  test("I7 a write that lost bytes without a word is no write", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    await rig.sandbox.writeFile(handle, "file", "old");
    rig.plane.faults.inject(scenarios.cutUpload(false, { times: Infinity }));
    await expect(rig.sandbox.writeFile(handle, "file", "new")).rejects.toThrow("damaged");
    expect(await rig.sandbox.readFile(handle, "file")).toBe("old");
  });

  test("I8 three at once make one machine, and all may destroy it", async () => {
    await using rig = new Rig();
    const others = [rig.sandbox, rig.another(), rig.another()];
    const handles = await Promise.all(others.map((sandbox) => sandbox.provision(LAYERS)));
    expect(handles.filter(({ coldStart }) => coldStart === true)).toHaveLength(1);
    expect(rig.plane.allMachines()).toHaveLength(1);
    await Promise.all(others.map((sandbox, at) => sandbox.teardown(handles[at] as SandboxHandle, { destroy: true })));
    expect([rig.plane.survivors(), rig.incidents]).toEqual([[], []]);
  });

  test("I8 the same under random faults: never two machines, and who hears of no trouble has none", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(faultPlans(METHODS), { minLength: 1, maxLength: 3 }), async (faults) => {
        await using rig = new Rig();
        const clock = new JumpClock(rig.plane);
        const told: string[][] = [[], [], []];
        const others = told.map((texts) =>
          rig.another({
            driver: { clock, times: { callMs: 2_000, settleMs: 20_000 } },
            onError: ({ message }) => texts.push(message),
          }),
        );
        for (const fault of faults) rig.plane.faults.inject(plannedFault(fault, TEST_KEY));
        const made = await Promise.allSettled(others.map((sandbox) => sandbox.provision(LAYERS)));
        const machines = rig.plane.allMachines();
        expect(machines.length).toBeLessThanOrEqual(1);
        const handle = OWN[0] as SandboxHandle;
        for (const { status } of made)
          if (status === "fulfilled") expect(machines.map(({ name }) => name)).toEqual([handle.id]);
        const gone = await Promise.allSettled(others.map((sandbox) => sandbox.teardown(handle, { destroy: true })));
        expect(gone.map(({ status }) => status)).toEqual(Array(3).fill("fulfilled"));
        if (told.some((texts) => texts.length === 0)) expect(rig.plane.survivors().map(({ name }) => name)).toEqual([]);
        rig.plane.faults.clear();
      }),
      { numRuns: Math.ceil(RUNS / 2), endOnFailure: true },
    );
  }, 600_000);

  test("I1 I3 I8 four who share a scratch machine and overlap: nothing is left unless somebody was told", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(faultPlans(METHODS), { maxLength: 2 }), async (faults) => {
        await using rig = new Rig();
        const told: string[] = [];
        const sandbox = rig.another({
          driver: { clock: new JumpClock(rig.plane), times: { callMs: 2_000, settleMs: 20_000 } },
          onError: ({ message }) => told.push(message),
        });
        for (const fault of faults) rig.plane.faults.inject(plannedFault(fault, TEST_KEY));
        const got = await Promise.all([0, 1, 2, 3].map((count) => borrow(sandbox, count)));
        if (faults.length === 0) expect(got).toEqual([true, true, true, true]);
        expect(repeatedRuns(rig.plane), "I3").toEqual([]);
        const left = rig.plane.survivors().filter(({ params }) => params.labels?.[scenarios.RIVAL] === undefined);
        if (told.length === 0 && got.every(Boolean)) expect(left.map(({ name }) => name)).toEqual([]);
        rig.plane.faults.clear();
      }),
      { numRuns: Math.ceil(RUNS / 2), endOnFailure: true },
    );
  }, 600_000);
});

/** What one user of a shared scratch machine does; whether it got what it asked for. Its command has long enough on a busy computer. */
async function borrow(sandbox: BoxdSandbox, count: number): Promise<boolean> {
  const handle = await sandbox.provision(LAYERS, { scratch: { key: "job" } }).catch(() => undefined);
  if (handle === undefined) return false;
  const ran = await sandbox.run(handle, countedCommand(count), { timeoutMs: 80_000 }).then(
    ({ code }) => code === 0,
    () => false,
  );
  return await sandbox.teardown(handle, { destroy: true }).then(
    () => ran,
    () => false,
  );
}

function same(read: Uint8Array | null, written: Uint8Array): boolean {
  return read !== null && Buffer.compare(read, written) === 0;
}
