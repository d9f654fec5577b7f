import { describe, expect, test } from "vitest";
import { SMOKE_PREFIX } from "../../../../src/boxd/driver/inventory.ts";
import { runSmoke, type SmokeReport } from "../../../../src/boxd/driver/smoke/smoke.ts";
import { SMOKE_STEPS } from "../../../../src/boxd/driver/smoke/steps.ts";
import { PermissionDeniedError, TEST_KEY } from "../../../support/boxd-fake/index.ts";
import { commandRig, needsProcesses, skipWithoutProcesses, type Rig } from "../rig.ts";

async function smoke(
  rig: Rig,
  more: { keep?: boolean; signal?: AbortSignal; giveUp?: AbortSignal; onStart?: (title: string) => void } = {},
): Promise<SmokeReport> {
  return runSmoke({
    driver: rig.driver,
    keep: more.keep ?? false,
    signal: more.signal ?? new AbortController().signal,
    giveUp: more.giveUp ?? new AbortController().signal,
    onStart: more.onStart ?? (() => undefined),
    onEnd: () => undefined,
  });
}

describe.skipIf(skipWithoutProcesses)(`a smoke run on the fake plane${needsProcesses}`, () => {
  test("does every step and leaves nothing behind", async () => {
    await using rig = commandRig();
    const report = await smoke(rig);
    expect(report.steps.filter((step) => !step.ok)).toEqual([]);
    expect(report).toMatchObject({ ok: true, left: null });
    expect(report.steps).toHaveLength(SMOKE_STEPS.length + 2);
    expect(await rig.driver.list()).toEqual([]);
  });

  test("keeps the machine on demand and says which", async () => {
    await using rig = commandRig();
    const { ok, left } = await smoke(rig, { keep: true });
    const [machine] = await rig.driver.list({ namePrefix: SMOKE_PREFIX });
    expect(ok).toBe(true);
    expect(left).toEqual({ name: machine?.name, id: machine?.id });
  });

  test("stops at the first thing that fails, and still deletes", async () => {
    await using rig = commandRig();
    const failing = SMOKE_STEPS.find((step) => step.title.startsWith("suspend"))?.title;
    rig.plane.faults.inject({
      method: "machines.pause",
      times: Infinity,
      error: () => new PermissionDeniedError(`refused for ${TEST_KEY}`),
    });
    const report = await smoke(rig);
    const failed = report.steps.filter((step) => !step.ok);
    expect(failed.map((step) => step.title)).toEqual([failing]);
    expect(failed[0]?.problem).toContain("refused");
    expect(failed[0]?.problem).not.toContain(TEST_KEY);
    expect(report.steps.map((step) => step.title)).not.toContain(SMOKE_STEPS.at(-1)?.title);
    expect(report).toMatchObject({ ok: false, left: null });
    expect(await rig.driver.list()).toEqual([]);
  });

  test("an interruption ends the step at hand and cleans up", async () => {
    await using rig = commandRig();
    const stop = new AbortController();
    const report = await smoke(rig, {
      signal: stop.signal,
      onStart: (title) => title.startsWith("end a command") && stop.abort(),
    });
    expect(report).toMatchObject({ ok: false, left: null });
    expect(report.steps.at(-1)).toMatchObject({ title: "delete it, confirmed", ok: true });
    expect(await rig.driver.list()).toEqual([]);
  });

  test.each(["create a machine", ...SMOKE_STEPS.map((step) => step.title), "delete it"])(
    'interrupted at "%s" it is not ok, says so, and leaves nothing',
    async (at) => {
      await using rig = commandRig();
      const stop = new AbortController();
      const report = await smoke(rig, {
        signal: stop.signal,
        onStart: (title) => title.startsWith(at) && stop.abort(),
      });
      expect(report).toMatchObject({ ok: false, interrupted: true, left: null });
      expect(rig.plane.survivors()).toEqual([]);
      expect(rig.plane.processes()).toEqual([]);
    },
  );

  test("given up while it deletes, the machine is named", async () => {
    await using rig = commandRig();
    const stop = new AbortController();
    rig.plane.faults.inject({ method: "machines.delete", times: Infinity, stall: true });
    const report = await smoke(rig, {
      signal: stop.signal,
      giveUp: stop.signal,
      onStart: (title) => title.startsWith("delete") && stop.abort(),
    });
    const [machine] = rig.plane.survivors();
    expect(report).toMatchObject({ ok: false, left: { name: machine?.name, id: machine?.id } });
  });

  test("a machine that its delete timer takes in the middle of a run is a failure with nothing left", async () => {
    await using rig = commandRig();
    const report = await smoke(rig, {
      onStart: (title) =>
        title.startsWith("feed stdin") &&
        rig.plane.survivors().forEach((machine) => void rig.plane.client().machines.delete(machine.id)),
    });
    expect(report).toMatchObject({ ok: false, interrupted: false, left: null });
    expect(report.steps.find((step) => !step.ok)?.problem).toMatch(/does not exist|not found/i);
  });
});
