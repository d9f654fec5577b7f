import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CleanupUnconfirmedError, MachineDriver } from "../../src/boxd/index.ts";
import { countedCommand, fastClock, FakePlane, JumpClock, repeatedRuns, scenarios } from "../support/boxd-fake/index.ts";
import { faultPlans, plannedFault } from "../support/boxd-fake/random-faults.ts";
import { needsProcesses, skipWithoutProcesses } from "./rig.ts";

const SECRET = "canary-secret-0123456789";
const BUDGET_MS = 8_000;
const CLEANUP_MS = 6_000;
const METHODS = ["create", "get", "list", "delete", "start", "stop", "pause", "resume", "wake", "exec", "setDeleteAfter", "files.upload"] as const;

const stepArbitrary = fc.constantFrom("create", "ensure", "exec", "wake", "park", "stop", "delete", "upload", "fail-prepare", "abort-create");

/** What the sequence believes: who owns which machine, and how often each command may have run. */
interface Ledger {
  owned: Set<string>;
  /** names that the caller chose itself */
  named: Set<string>;
  /** names in cleanup errors; the mere mention in another error does not count */
  left: Set<string>;
  texts: string[];
  runs: number;
}

async function step(kind: string, plane: FakePlane, driver: MachineDriver, ledger: Ledger): Promise<void> {
  const within = { budgetMs: BUDGET_MS };
  const id = [...ledger.owned][0];
  if (kind === "create") {
    ledger.owned.add((await driver.createOwned({ expiry: { afterSeconds: 900 } }, within)).id);
  } else if (kind === "ensure") {
    ledger.named.add("qm-a");
    ledger.owned.add((await driver.ensure("qm-a", {}, within)).machine.id);
  } else if (kind === "fail-prepare") {
    await driver.createOwned({ prepare: () => Promise.reject(new Error("prepare")) }, within);
  } else if (kind === "abort-create") {
    const abort = new AbortController();
    await driver.createOwned({ prepare: async () => abort.abort() }, { ...within, signal: abort.signal });
  } else if (id !== undefined) {
    await onMachine(kind, id, plane, driver, ledger, within);
  }
}

async function onMachine(kind: string, id: string, plane: FakePlane, driver: MachineDriver, ledger: Ledger, within: { budgetMs: number }): Promise<void> {
  const status = (): string => plane.allMachines().find((machine) => machine.id === id)?.status ?? "absent";
  if (kind === "exec") {
    await driver.exec(id, { command: countedCommand(ledger.runs++), env: { TOKEN: SECRET }, stdin: SECRET }, within);
  } else if (kind === "upload") {
    await driver.upload(id, "/home/boxd/file", SECRET, {}, within);
  } else if (kind === "wake") {
    await driver.wake(id, within);
  } else if (kind === "park") {
    await driver.park(id, within);
  } else if (kind === "stop") {
    await driver.stopConfirmed(id, within);
    expect(status(), "I2: a stopped receipt").toBe("stopped");
    expect(plane.allMachines().find((machine) => machine.id === id)?.processes(), "I6").toEqual([]);
  } else if (kind === "delete") {
    await driver.deleteConfirmed(id, within);
    expect(status(), "I2: a destroyed receipt").toMatch(/^(destroying|destroyed|absent)$/);
    ledger.owned.delete(id);
  }
}

describe.skipIf(skipWithoutProcesses)(`invariants over random sequences and faults${needsProcesses}`, () => {
  test("I1 to I6", async () => {
    await fc.assert(fc.asyncProperty(fc.array(stepArbitrary, { minLength: 1, maxLength: 5 }), fc.array(faultPlans(METHODS), { minLength: 1, maxLength: 3 }), async (steps, faults) => {
      const plane = new FakePlane();
      const clock = fastClock(100);
      const driver = new MachineDriver({ client: plane.client(), clock, org: "acme", secrets: [SECRET], times: { cleanupMs: CLEANUP_MS, callMs: 2_000 } });
      const ledger: Ledger = { owned: new Set(), named: new Set(), left: new Set(), texts: [], runs: 0 };
      for (const fault of faults) plane.faults.inject(plannedFault(fault, SECRET));
      try {
        for (const kind of steps) await watched(() => step(kind, plane, driver, ledger), ledger);
        for (const { id, name } of plane.survivors()) {
          const accounted = ledger.owned.has(id) || ledger.named.has(name) || ledger.left.has(name);
          expect(accounted, `I1: machine ${name} is owned, deleted or named`).toBe(true);
        }
        expect(repeatedRuns(plane), "I3: each command at most once").toEqual([]);
        expect(ledger.texts.join("\n"), "I4").not.toContain(SECRET);
        expect(plane.recorder.leaksOf(SECRET), "I4").toEqual([]);
      } finally {
        plane.faults.clear();
        await plane.dispose();
      }
    }), { numRuns: Number(process.env["INVARIANT_RUNS"] ?? 80), endOnFailure: true });
  }, 240_000);

  test("I5: every wait ends within its budget and a second (plus cleanup), on a plane that answers nothing", async () => {
    const calls: [string, (driver: MachineDriver, id: string) => Promise<unknown>, number][] = [
      ["wake", (driver, id) => driver.wake(id, { budgetMs: 2_000 }), 3_000],
      ["park", (driver, id) => driver.park(id, { budgetMs: 2_000 }), 3_000],
      ["stop", (driver, id) => driver.stopConfirmed(id, { budgetMs: 2_000 }), 3_000],
      ["delete", (driver, id) => driver.deleteConfirmed(id, { budgetMs: 2_000 }), 3_000],
      ["exec", (driver, id) => driver.exec(id, { command: "true" }, { budgetMs: 2_000 }), 3_000],
      ["upload", (driver, id) => driver.upload(id, "/home/boxd/x", "x", {}, { budgetMs: 2_000 }), 3_000],
      ["create", (driver) => driver.createOwned({}, { budgetMs: 2_000 }), 3_000 + CLEANUP_MS],
    ];
    for (const [name, call, most] of calls) {
      await using plane = new FakePlane();
      const clock = new JumpClock();
      const driver = new MachineDriver({ client: plane.client(), clock, times: { cleanupMs: CLEANUP_MS } });
      const { id } = await plane.seed({ name: "box-1" });
      plane.faults.inject(scenarios.stalled("*", "before", { times: Infinity }));
      await Promise.allSettled([call(driver, id)]);
      expect(clock.now(), name).toBeLessThanOrEqual(most);
    }
  });

  test("I8: two at once", async () => {
    await using plane = new FakePlane();
    const drivers = [1, 2].map(() => new MachineDriver({ client: plane.client(), clock: fastClock(50), org: "acme" }));
    const [a, b] = await Promise.all(drivers.map((driver) => driver.ensure("qm-a", {})));
    expect(a?.machine.id).toBe(b?.machine.id);
    const receipts = await Promise.all(drivers.map((driver) => driver.deleteConfirmed(a?.machine.id ?? "")));
    expect(receipts.map(({ state }) => state)).toEqual(["destroyed", "destroyed"]);
  });
});

/** Keeps the text of what is thrown; an error that is no driver error and no refusal of the test's own is a bug. */
async function watched(work: () => Promise<void>, ledger: Ledger): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error) || error.name === "AssertionError") throw error;
    if (error instanceof CleanupUnconfirmedError) ledger.left.add(error.left.name);
    ledger.texts.push(`${error.message} ${error instanceof CleanupUnconfirmedError ? JSON.stringify(error.left) : ""} ${String(error.cause)}`);
  }
}
