import { describe, expect, test } from "vitest";
import { CleanupUnconfirmedError } from "../../../src/boxd/driver/index.ts";
import { scenarios } from "../../support/boxd-fake/index.ts";
import { jumpRig, needsProcesses, Rig, skipWithoutProcesses } from "./rig.ts";

const PARKED = ["suspended", "hibernated", "stopped"] as const;
const ABSENT = "3f2c0000-0000-4000-8000-000000000000";

describe.skipIf(skipWithoutProcesses)(`waking${needsProcesses}`, () => {
  test.each([
    ["suspended", "machines.resume"],
    ["hibernated", "machines.wake"],
    ["stopped", "machines.start"],
    ["failed", "machines.start"],
  ] as const)("a %s machine by %s, once, and until it answers", async (status, verb) => {
    await using rig = new Rig();
    const { id } = await rig.plane.seed({ name: "box-1" }, status);
    expect((await rig.driver.ensureRunning(id)).status).toBe("running");
    expect(rig.plane.recorder.methods().filter((method) => /resume|wake|start/.test(method))).toEqual([verb]);
    expect(rig.plane.recorder.commands()).toEqual(["true"]);
  });

  test("a running machine is read and left alone", async () => {
    await using rig = new Rig();
    const { id } = await rig.running();
    await rig.driver.ensureRunning(id);
    expect(rig.plane.recorder.methods()).toEqual(["machines.get"]);
  });

  test("a lost request is repeated, a lost answer is not mistaken for a failure", async () => {
    await using rig = new Rig();
    const first = await rig.plane.seed({ name: "box-1" }, "stopped");
    rig.plane.faults.inject(scenarios.refused("machines.start", 14));
    await rig.driver.ensureRunning(first.id);
    const second = await rig.plane.seed({ name: "box-2" }, "hibernated");
    rig.plane.faults.inject(scenarios.answerLost("machines.wake", 4));
    expect((await rig.driver.ensureRunning(second.id)).status).toBe("running");
  });

  test("a call that never answers is given up and asked again within the deadline", async () => {
    await using rig = new Rig();
    const { id } = await rig.plane.seed({ name: "box-1" }, "suspended");
    rig.plane.faults.inject(scenarios.stalled("machines.resume", "before"));
    rig.plane.faults.inject(scenarios.stalled("machines.get", "before", { nth: 2 }));
    expect((await rig.driver.ensureRunning(id, { timeoutMs: 120_000 })).status).toBe("running");
  });

  test("a machine that fails to start is an error", async () => {
    await using rig = new Rig();
    rig.plane.bootEnds.push("running", "failed");
    const { id } = await rig.plane.seed({ name: "box-1" }, "stopped");
    await expect(rig.driver.ensureRunning(id)).rejects.toMatchObject({
      kind: "conflict",
      conflict: "wrong-state",
      message: expect.stringContaining(id),
    });
  });

  test("the deadline ends it, with the state that it was waiting in", async () => {
    await using rig = new Rig({ steps: { boot: Infinity } });
    const { id } = rig.plane.create({ name: "box-1" });
    await expect(rig.driver.ensureRunning(id, { timeoutMs: 3_000 })).rejects.toMatchObject({
      kind: "timeout",
      message: expect.stringMatching(/is (pending|starting), waiting for running/),
    });
  });

  test("a machine that is not there, or only its tombstone, is not found", async () => {
    await using rig = new Rig({ steps: { tombstone: Infinity } });
    await expect(rig.driver.ensureRunning(ABSENT)).rejects.toMatchObject({ kind: "not-found" });
    const { id } = await rig.plane.seed({ name: "box-1" }, "destroyed");
    await expect(rig.driver.ensureRunning(id)).rejects.toMatchObject({ kind: "not-found" });
    expect(await rig.driver.inspect(id)).toEqual({ state: "absent" });
  });
});

describe.skipIf(skipWithoutProcesses)(`parking${needsProcesses}`, () => {
  test("suspends and keeps processes", async () => {
    await using rig = new Rig({ steps: { suspend: 3 } });
    const machine = await rig.running();
    await machine.exec("sleep 300 >/dev/null 2>&1 &");
    expect((await rig.driver.suspend(machine.id)).status).toBe("suspended");
    await rig.driver.ensureRunning(machine.id);
    expect(machine.processes().map(({ argv }) => argv[0])).toEqual(["sleep"]);
  });

  test.each(PARKED)("a %s machine stays as it is", async (status) => {
    await using rig = new Rig();
    const { id } = await rig.plane.seed({ name: "box-1" }, status);
    expect((await rig.driver.suspend(id)).status).toBe(status);
    expect(rig.plane.recorder.methods()).toEqual(["machines.get"]);
  });

  test("a failed machine cannot be parked", async () => {
    await using rig = new Rig();
    const { id } = await rig.plane.seed({ name: "box-1" }, "failed");
    await expect(rig.driver.suspend(id)).rejects.toMatchObject({ kind: "conflict" });
  });
});

describe.skipIf(skipWithoutProcesses)(`stopping${needsProcesses}`, () => {
  test.each(["running", ...PARKED] as const)(
    "a %s machine ends stopped, its files kept, its processes gone",
    async (status) => {
      await using rig = new Rig();
      const machine = await rig.running();
      if (status !== "stopped") {
        await machine.exec("sleep 300 >/dev/null 2>&1 & echo kept >kept");
      } else {
        await machine.exec("echo kept >kept; sync");
      }
      await machine.force(status);
      expect(await rig.driver.stopConfirmed(machine.id)).toEqual({ id: machine.id, state: "stopped" });
      expect(machine.status).toBe("stopped");
      expect(machine.processes()).toEqual([]);
      expect(rig.plane.recorder.of("machines.delete")).toEqual([]);
      await rig.driver.ensureRunning(machine.id);
      expect((await machine.exec("cat kept")).stdout.toString()).toBe("kept\n");
    },
  );

  test("an acknowledged stop that does not happen is no receipt", async () => {
    await using rig = new Rig({ steps: { stop: Infinity } });
    const { id } = await rig.running();
    await expect(rig.driver.stopConfirmed(id, { timeoutMs: 20_000 })).rejects.toMatchObject({ kind: "timeout" });
  });

  test("a guest that hangs does not keep its machine from being stopped", async () => {
    await using rig = new Rig();
    const { id } = await rig.running();
    rig.plane.faults.inject(scenarios.stalled("machines.exec", "before"));
    expect(await rig.driver.stopConfirmed(id, { timeoutMs: 60_000 })).toMatchObject({ state: "stopped" });
  });

  test("nothing that could be stopped: no receipt", async () => {
    await using rig = new Rig();
    await expect(rig.driver.stopConfirmed(ABSENT)).rejects.toMatchObject({ kind: "not-found" });
    const { id } = await rig.plane.seed({ name: "box-1" }, "failed");
    await expect(rig.driver.stopConfirmed(id)).rejects.toMatchObject({ kind: "conflict" });
  });
});

describe.skipIf(skipWithoutProcesses)(`rebooting${needsProcesses}`, () => {
  test("waits until the machine answers again; its disk is kept", async () => {
    await using rig = new Rig();
    const machine = await rig.running();
    await machine.exec("echo kept >kept");
    expect((await rig.driver.reboot(machine.id)).status).toBe("running");
    expect((await machine.exec("cat kept")).stdout.toString()).toBe("kept\n");
  });

  test("a refusal is thrown", async () => {
    await using rig = new Rig();
    const { id } = await rig.running();
    rig.plane.faults.inject(scenarios.refused("machines.reboot", 13, "upstream reboot failed"));
    await expect(rig.driver.reboot(id)).rejects.toThrow(/upstream reboot failed/);
  });

  test("a machine and its guest are told apart", async () => {
    await using rig = new Rig();
    const { id } = await rig.running();
    expect(await rig.driver.answers(id, { timeoutMs: 5_000 })).toBe(true);
    rig.plane.faults.inject(scenarios.stalled("machines.exec", "before", { times: Infinity }));
    expect(await rig.driver.answers(id, { timeoutMs: 5_000 })).toBe(false);
    expect(await rig.driver.inspect(id)).toMatchObject({ state: "running" });
  });
});

describe.skipIf(skipWithoutProcesses)(`deleting${needsProcesses}`, () => {
  test.each(["running", "suspended", "hibernated", "stopped", "failed"] as const)(
    "a %s machine, directly and proved",
    async (status) => {
      await using rig = new Rig({ steps: { destroy: 3, tombstone: 4 } });
      const machine = await rig.plane.seed({ name: "box-1" }, status);
      expect(await rig.driver.deleteConfirmed(machine.id)).toEqual({ id: machine.id, state: "destroyed" });
      expect(rig.plane.survivors()).toEqual([]);
      expect(rig.plane.recorder.methods().filter((method) => /resume|wake|start/.test(method))).toEqual([]);
    },
  );

  test("what is gone already is a success; so are two at a time", async () => {
    await using rig = new Rig();
    expect(await rig.driver.deleteConfirmed(ABSENT)).toEqual({ id: ABSENT, state: "destroyed" });
    const { id } = await rig.running();
    expect(await Promise.all([rig.driver.deleteConfirmed(id), rig.driver.deleteConfirmed(id)])).toHaveLength(2);
  });

  test("E-51 (OpenShell #2999): one stale absence is not believed", async () => {
    await using rig = new Rig({ steps: { destroy: 6 } });
    const machine = await rig.running();
    rig.plane.faults.inject(scenarios.getDenies());
    rig.plane.faults.inject(scenarios.listHides(() => true));
    await rig.driver.deleteConfirmed(machine.id);
    expect(machine.status).toMatch(/destroyed|absent/);
  });

  test("E-51 (NemoClaw #11951): an acknowledgement that was a lie is asked for again", async () => {
    await using rig = new Rig();
    const { id } = await rig.running();
    rig.plane.faults.inject(scenarios.deleteIgnored());
    await rig.driver.deleteConfirmed(id);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("absences that last shorter than a listing may lag are no proof, and the receipt says how long they lasted", async () => {
    await using rig = jumpRig();
    const machine = await rig.running();
    rig.plane.faults.inject(scenarios.deleteIgnored({ times: Infinity }));
    rig.plane.faults.inject(scenarios.getDenies({ times: Infinity }));
    rig.plane.faults.inject(scenarios.listHides(() => true, { times: Infinity }));
    const known = { name: machine.name };
    const receipt = await rig.driver.deleteConfirmed(machine.id, { timeoutMs: 1_200 }, known);
    expect(receipt).toEqual({ id: machine.id, state: "unlisted", absentMs: expect.any(Number) });
    expect(receipt.state === "unlisted" && receipt.absentMs).toBeLessThan(1_200);
    for (const settle of [
      () => rig.driver.deleteSettled(machine.id, { timeoutMs: 1_200 }, known),
      () => rig.driver.deleteNamed(machine.name, machine.id, { timeoutMs: 1_900 }),
    ])
      await expect(settle()).rejects.toMatchObject({ kind: "cleanup-unconfirmed", left: { name: machine.name } });
  });

  test.each([1, 2, 3, 4])(
    "a listing that hides a living machine from %i looks in a row is found out",
    async (looks) => {
      await using rig = jumpRig();
      const machine = await rig.running();
      rig.plane.faults.inject(scenarios.deleteIgnored());
      rig.plane.faults.inject(scenarios.getDenies({ times: looks }));
      rig.plane.faults.inject(scenarios.listHides(() => true, { times: looks }));
      expect(await rig.driver.deleteConfirmed(machine.id)).toEqual({ id: machine.id, state: "destroyed" });
      expect(rig.plane.survivors()).toEqual([]);
    },
  );

  test("trouble that passes is outlasted", async () => {
    await using rig = new Rig();
    const { id } = await rig.running();
    rig.plane.faults.inject(scenarios.refused("machines.delete", 14, "unavailable", { times: 2 }));
    rig.plane.faults.inject(scenarios.refused("machines.get", 14));
    rig.plane.faults.inject(scenarios.refused("machines.list", 8, "rate limit"));
    await rig.driver.deleteConfirmed(id);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test.each([
    ["lingers", () => scenarios.deleteIgnored({ times: Infinity })],
    ["is refused for good", () => scenarios.refused("machines.delete", 7, "permission denied", { times: Infinity })],
    ["cannot be asked for", () => scenarios.refused("machines.delete", 14, "unavailable", { times: Infinity })],
    ["never answers", () => scenarios.stalled("machines.delete", "before", { times: Infinity })],
  ])("a deletion that %s is an error that names the machine", async (_title, fault) => {
    await using rig = jumpRig();
    const { id } = await rig.running();
    rig.plane.faults.inject(fault());
    const known = { name: "box-1", labels: { "managed-by": "qm-deploy" } };
    const error = await rig.driver.deleteConfirmed(id, { timeoutMs: 60_000 }, known).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CleanupUnconfirmedError);
    expect(error).toMatchObject({
      left: { handle: "box-1", id, ...known },
      message: expect.stringMatching(`box-1 .*${id}`),
    });
    expect(rig.plane.survivors()).toHaveLength(1);
  });

  test.each([3, 7])("a deletion that is refused for good with code %d is not asked for again", async (code) => {
    await using rig = jumpRig();
    const { id } = await rig.running();
    rig.plane.faults.inject(scenarios.refused("machines.delete", code, "no", { times: Infinity }));
    await expect(rig.driver.deleteConfirmed(id, { timeoutMs: 60_000 })).rejects.toMatchObject({
      kind: "cleanup-unconfirmed",
    });
    expect(rig.plane.recorder.of("machines.delete")).toHaveLength(1);
  });

  test("without reads there is no receipt", async () => {
    await using rig = jumpRig();
    const { id } = await rig.running();
    rig.plane.faults.inject(scenarios.refused("machines.get", 14, "unavailable", { times: Infinity }));
    await expect(rig.driver.deleteConfirmed(id, { timeoutMs: 5_000 })).rejects.toMatchObject({
      kind: "cleanup-unconfirmed",
    });
  });
});

describe.skipIf(skipWithoutProcesses)(`deleting by name${needsProcesses}`, () => {
  const lies = {
    "a listing that alternates": () => [scenarios.listFlaps({ times: 6 })],
    "a stale listing, then one that alternates": () => [
      scenarios.listHides(() => true),
      scenarios.listFlaps({ times: 6 }),
    ],
    "two stale listings": () => [scenarios.listHides(() => true), scenarios.listHides(() => true)],
    "a stale listing and a first page": () => [scenarios.listHides(() => true), scenarios.listPage(1)],
  } as const;

  test.each(Object.entries(lies))("no receipt while the machine runs: %s", async (_title, faults) => {
    for (const remove of [
      (rig: Rig) => rig.driver.deleteConfirmed("box-1"),
      (rig: Rig) => rig.driver.deleteConfirmed("box-1", {}, { name: "box-1" }),
      (rig: Rig) => rig.driver.deleteNamed("box-1", undefined),
    ]) {
      await using rig = new Rig();
      await rig.plane.seed({ name: "aaa" });
      await rig.running();
      for (const fault of faults()) rig.plane.faults.inject(fault);
      await remove(rig);
      expect(rig.plane.survivors().map(({ name }) => name)).toEqual(["aaa"]);
    }
  });

  test("an id that is outdated leads to the machine that bears the name now", async () => {
    await using rig = new Rig();
    await rig.running();
    await rig.driver.deleteNamed("box-1", ABSENT);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("a machine that stays is named by its name, and by the id where one is known", async () => {
    for (const known of [undefined, ABSENT]) {
      await using rig = jumpRig();
      await rig.running();
      rig.plane.faults.inject(scenarios.deleteIgnored({ times: Infinity }));
      const error = await rig.driver
        .deleteNamed("box-1", known, { timeoutMs: 20_000 })
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        kind: "cleanup-unconfirmed",
        left: { handle: "box-1", name: "box-1", labels: {}, ...(known === undefined ? {} : { id: known }) },
      });
    }
  });
});

describe.skipIf(skipWithoutProcesses)(`isGone${needsProcesses}`, () => {
  test("is true for a machine that get and list lack for as long as a listing may lag", async () => {
    await using rig = new Rig();
    expect(await rig.driver.isGone(ABSENT)).toBe(true);
    // Two seconds, looked at twice a second.
    expect(rig.plane.recorder.of("machines.get")).toHaveLength(5);
    expect(rig.plane.recorder.of("machines.list")).toHaveLength(5);
  });

  test.each([
    ["one stale get", [scenarios.getDenies()]],
    ["one stale get and one stale listing", [scenarios.getDenies(), scenarios.listHides(() => true)]],
  ])("is false after %s", async (_name, faults) => {
    await using rig = new Rig();
    const { id } = await rig.plane.seed({ name: "box-1" });
    for (const fault of faults) rig.plane.faults.inject(fault);
    expect(await rig.driver.isGone(id)).toBe(false);
    expect(rig.plane.recorder.methods().filter((method) => !/get|list/.test(method))).toEqual([]);
  });

  test("is an error, and no answer, when boxd cannot be read", async () => {
    await using rig = new Rig();
    rig.plane.faults.inject(scenarios.refused("machines.get", 14, "unavailable", { times: Infinity }));
    await expect(rig.driver.isGone(ABSENT, { timeoutMs: 3_000 })).rejects.toMatchObject({
      kind: expect.stringMatching(/transient|timeout/),
    });
  });
});
