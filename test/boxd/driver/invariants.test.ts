import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MachineDriver } from "../../../src/boxd/driver/index.ts";
import {
  countedCommand,
  fastClock,
  FakePlane,
  JumpClock,
  repeatedRuns,
  scenarios,
} from "../../support/boxd-fake/index.ts";
import { type FaultPlan, faultPlans, plannedFault } from "../../support/boxd-fake/random-faults.ts";
import { BYTE_SIZES } from "../../support/byte-sizes.ts";
import { runs } from "../../support/runs.ts";
import { Caller, CLEANUP_MS, METHODS, SECRET, STEPS, TIMEOUT_MS, type Step } from "./caller.ts";
import { needsProcesses, skipWithoutProcesses } from "./rig.ts";

const RUNS = runs(6, 60);

/** A kill whose answer is lost: asked again, it finds the command gone, which is no end of its own. */
const KILL_ASKED_TWICE: [Step, Step[], FaultPlan[]] = [
  "getOrCreate",
  ["create-labelled", "hang", "create-labelled", "download", "hang"],
  [
    { method: "exec", nth: 4, times: 2, how: "no-status-field" },
    { method: "delete", nth: 1, times: 2, how: "ignored" },
  ],
];

describe.skipIf(skipWithoutProcesses)(`invariants over random sequences and faults${needsProcesses}`, () => {
  test("I1 I2 I3 I4 I6", async () => {
    const steps = fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 5 });
    const first = fc.constantFrom<Step>("create", "create", "getOrCreate", "abort-create", "fail-prepare");
    await fc.assert(
      fc.asyncProperty(
        first,
        steps,
        fc.array(faultPlans(METHODS), { minLength: 1, maxLength: 3 }),
        async (begin, then, faults) => {
          await using plane = new FakePlane();
          const caller = new Caller(plane, { client: plane.client(), clock: new JumpClock(plane) });
          for (const fault of faults) plane.faults.inject(plannedFault(fault, SECRET));
          for (const step of [begin, ...then]) await caller.take(step);
          expect(caller.lost(), "I1: every machine is owned, deleted or named").toEqual([]);
          expect(repeatedRuns(plane), "I3: each command at most once").toEqual([]);
          expect(caller.texts.join("\n"), "I4").not.toContain(SECRET);
          expect(plane.recorder.leaksOf(SECRET), "I4").toEqual([]);
          plane.faults.clear();
        },
      ),
      { numRuns: RUNS, endOnFailure: true, examples: [KILL_ASKED_TWICE] },
    );
  }, 900_000);

  test("I2 a receipt is true at the moment it is given, whatever goes wrong with its calls", async () => {
    const receipts = {
      stop: {
        calls: ["stop", "get", "resume", "wake", "exec", "stop"],
        is: /^stopped$/,
        ask: (driver: MachineDriver, id: string) => driver.stopConfirmed(id, { timeoutMs: 20_000 }),
      },
      delete: {
        calls: ["get", "list"],
        is: /^(destroying|destroyed|absent)$/,
        ask: (driver: MachineDriver, id: string) => driver.deleteConfirmed(id, { timeoutMs: 20_000 }),
      },
      suspend: {
        calls: ["pause", "get", "pause"],
        is: /^(suspended|hibernated|stopped)$/,
        ask: (driver: MachineDriver, id: string) => driver.suspend(id, { timeoutMs: 20_000 }),
      },
      wake: {
        calls: ["start", "resume", "wake", "get", "exec"],
        is: /^running$/,
        ask: (driver: MachineDriver, id: string) => driver.ensureRunning(id, { timeoutMs: 20_000 }),
      },
    };
    const asked = fc.constantFrom(...Object.values(receipts)).chain((receipt) =>
      fc.record({
        receipt: fc.constant(receipt),
        state: fc.constantFrom("running", "running", "suspended", "hibernated", "stopped", "starting"),
        faults: fc.array(faultPlans(receipt.calls), { minLength: 1, maxLength: 3 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(asked, async ({ receipt, state, faults }) => {
        await using plane = new FakePlane();
        const driver = new MachineDriver({
          client: plane.client(),
          clock: new JumpClock(plane),
          times: { callMs: 2_000 },
        });
        const machine = await plane.seed({ name: "box-1" }, state);
        for (const fault of faults) plane.faults.inject(plannedFault(fault, SECRET));
        const given = await receipt.ask(driver, machine.id).then(
          () => true,
          () => false,
        );
        if (given) expect(machine.status).toMatch(receipt.is);
        plane.faults.clear();
      }),
      { numRuns: RUNS * 3, endOnFailure: true },
    );
  }, 900_000);

  test("I3 I4 a command runs at most once and shows no secret, whatever goes wrong with its calls", async () => {
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
        async (begin, staged, faults) => {
          await using plane = new FakePlane();
          const driver = new MachineDriver({
            client: plane.client(),
            clock: new JumpClock(plane),
            secrets: [SECRET],
            times: { callMs: 2_000 },
          });
          const { id } = await plane.seed({ name: "box-1" }, begin);
          for (const fault of faults) plane.faults.inject(plannedFault(fault, SECRET));
          const inputs = staged ? { env: { TOKEN: SECRET }, stdin: SECRET } : {};
          const text = await driver
            .exec(id, { command: countedCommand(0), ...inputs }, { timeoutMs: TIMEOUT_MS })
            .then(String, (error: Error) => `${String(error.stack)} ${String(error.cause)}`);
          expect(repeatedRuns(plane), "I3").toEqual([]);
          expect(text, "I4").not.toContain(SECRET);
          expect(plane.recorder.leaksOf(SECRET), "I4").toEqual([]);
          plane.faults.clear();
        },
      ),
      { numRuns: RUNS * 2, endOnFailure: true },
    );
  }, 900_000);

  const within = { timeoutMs: 2_000 };
  type Stall = readonly [state: "running" | "suspended" | "stopped", when: "before" | "after"];
  const HALF: readonly Stall[] = [
    ["running", "before"],
    ["suspended", "after"],
    ["stopped", "before"],
  ];
  const OTHER_HALF: readonly Stall[] = [
    ["running", "after"],
    ["suspended", "before"],
    ["stopped", "after"],
  ];
  test.each<[string, number, (driver: MachineDriver, id: string) => Promise<unknown>]>([
    ["createOwned", CLEANUP_MS, (driver) => driver.createOwned({ expiry: { afterSeconds: 900 } }, within)],
    ["getOrCreate", 0, (driver) => driver.getOrCreate("box-1", { expiry: { afterSeconds: 900 } }, within)],
    ["find", 0, (driver) => driver.find("box-2", within)],
    ["list", 0, (driver) => driver.list({}, within)],
    ["inspect", 0, (driver, id) => driver.inspect(id, within)],
    ["ensureRunning", 0, (driver, id) => driver.ensureRunning(id, within)],
    ["suspend", 0, (driver, id) => driver.suspend(id, within)],
    ["stopConfirmed", 0, (driver, id) => driver.stopConfirmed(id, within)],
    ["deleteConfirmed", 0, (driver, id) => driver.deleteConfirmed(id, within)],
    ["isGone", 0, (driver, id) => driver.isGone(id, within)],
    ["reboot", 0, (driver, id) => driver.reboot(id, within)],
    ["answers", 0, (driver, id) => driver.answers(id, within)],
    // A command that is given up, and files that are, take up to a second to tidy up.
    ["exec", 1_000, (driver, id) => driver.exec(id, { command: "true", env: { A: "b" }, stdin: "c" }, within)],
    ["upload", 1_000, (driver, id) => driver.upload(id, "/home/boxd/x", "x", {}, within)],
    ["download", 0, (driver, id) => driver.download(id, "/home/boxd/x", within)],
    ["makeDirectory", 0, (driver, id) => driver.makeDirectory(id, "/home/boxd/d", within)],
    ["setExpiry", 0, (driver, id) => driver.setExpiry(id, { afterSeconds: 60 }, within)],
    ["setIdleTimers", 0, (driver, id) => driver.setIdleTimers(id, { suspendSeconds: 0, hibernateSeconds: 0 }, within)],
    ["setEgressAllow", 0, (driver, id) => driver.setEgressAllow(id, ["none"], within)],
    ["httpsUrl", 0, (driver, id) => driver.httpsUrl(id, within)],
    ["pinRoute", 0, (driver, id) => driver.pinRoute(id, 8000, within)],
    ["setBotProtection", 0, (driver, id) => driver.setBotProtection(id, false, within)],
  ])(
    "I5 %s: nothing answered from each of its calls on, and it ends within its deadline, %i ms and a second",
    async (_name, more, call) => {
      for (const [state, when] of [...HALF, ...OTHER_HALF.slice(0, runs(0, 3))]) {
        for (let nth = 1, struck = true; struck; nth += 1) {
          await using plane = new FakePlane();
          const clock = new JumpClock(plane, 0);
          const driver = new MachineDriver({
            client: plane.client(),
            clock,
            times: { cleanupMs: CLEANUP_MS, pollMs: 300, callMs: 700 },
          });
          const { id } = await plane.seed({ name: "box-1" }, state);
          plane.faults.inject(scenarios.stalled("*", when, { nth, times: Infinity }));
          await Promise.allSettled([call(driver, id)]);
          expect(clock.now(), `from call ${nth} on, ${when} its effect, ${state}`).toBeLessThanOrEqual(
            2_000 + more + 1_000,
          );
          struck = plane.faults.unused().length === 0;
          if (nth === 1 && when === "before") expect(clock.now(), "it did wait").toBeGreaterThan(600);
          plane.faults.clear();
        }
      }
    },
    120_000,
  );

  test("I7 what is written whole is read whole, of every size, whatever goes wrong", async () => {
    const sizes = fc.constantFrom(...BYTE_SIZES);
    const faults = fc.array(
      faultPlans(["exec", "get", "files.upload", "files.download", "files.upload", "files.download"]),
      { maxLength: 2 },
    );
    await fc.assert(
      fc.asyncProperty(sizes, faults, async (size, plans) => {
        await using plane = new FakePlane();
        const driver = new MachineDriver({
          client: plane.client(),
          clock: new JumpClock(plane),
          times: { callMs: 2_000 },
        });
        const { id } = await plane.seed({ name: "box-1" });
        const path = "/home/boxd/dir/file";
        await driver.upload(id, path, "old");
        for (const plan of plans) plane.faults.inject(plannedFault(plan, SECRET));
        const data = randomBytes(size);
        const written = await driver.upload(id, path, data).then(
          () => true,
          () => false,
        );
        const read = await driver.download(id, path).catch(() => undefined);
        plane.faults.clear();
        const allowed = written ? [data] : [Buffer.from("old"), data];
        if (read !== undefined)
          expect(
            allowed.some((content) => read !== null && Buffer.compare(content, read) === 0),
            `${size} bytes, written: ${written}`,
          ).toBe(true);
      }),
      { numRuns: Math.ceil(RUNS / 2), endOnFailure: true },
    );
  }, 900_000);

  test("I8 two at once", async () => {
    await using plane = new FakePlane();
    const drivers = [1, 2].map(() => new MachineDriver({ client: plane.client(), clock: fastClock(50), org: "acme" }));
    const [a, b] = await Promise.all(drivers.map((driver) => driver.getOrCreate("qm-a", {})));
    expect(a?.machine.id).toBe(b?.machine.id);
    const receipts = await Promise.all(drivers.map((driver) => driver.deleteConfirmed(a?.machine.id ?? "")));
    expect(receipts.map(({ state }) => state)).toEqual(["destroyed", "destroyed"]);
  });

  test("I8 two at once under random faults: never two machines, and a receipt is a receipt", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(faultPlans(METHODS), { minLength: 1, maxLength: 3 }), async (faults) => {
        await using plane = new FakePlane();
        const clock = new JumpClock(plane);
        const drivers = [1, 2].map(
          () => new MachineDriver({ client: plane.client(), clock, org: "acme", times: { callMs: 2_000 } }),
        );
        for (const fault of faults) plane.faults.inject(plannedFault(fault, SECRET));
        const made = await Promise.allSettled(
          drivers.map((driver) => driver.getOrCreate("qm-a", {}, { timeoutMs: TIMEOUT_MS })),
        );
        const ids = new Set(made.flatMap((result) => (result.status === "fulfilled" ? [result.value.machine.id] : [])));
        expect(ids.size).toBeLessThanOrEqual(1);
        expect(plane.allMachines().length).toBeLessThanOrEqual(1);
        const [id] = ids;
        if (id === undefined) return;
        const gone = await Promise.allSettled(
          drivers.map((driver) => driver.deleteConfirmed(id, { timeoutMs: TIMEOUT_MS })),
        );
        if (gone.some(({ status }) => status === "fulfilled")) expect(plane.survivors(), "I2").toEqual([]);
        plane.faults.clear();
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  }, 900_000);
});
