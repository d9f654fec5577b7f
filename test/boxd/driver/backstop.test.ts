import { describe, expect, test, vi } from "vitest";
import { ManualClock, scenarios, type PlaneOptions } from "../../support/boxd-fake/index.ts";
import type { OwnedSpec } from "../../../src/boxd/driver/index.ts";
import { needsProcesses, Rig, skipWithoutProcesses } from "./rig.ts";

const LIFETIME = { afterSeconds: 900, final: true };
const SECOND = 1000;

/** A caller that dies once boxd has made its machine and before it has set the delete timer: its time stands still. */
async function orphan(plane: PlaneOptions, spec: OwnedSpec): Promise<Rig & { readonly time: ManualClock }> {
  const time = new ManualClock();
  const rig = new Rig({ ...plane, clock: time }, { clock: new ManualClock() });
  rig.plane.snapshots.set("ready-made", { status: "ready", vcpu: 2 });
  rig.plane.faults.inject({ method: "machines.setDeleteAfter", stall: true });
  void rig.driver.createOwned(spec).catch(() => undefined);
  await vi.waitFor(() => expect(rig.plane.recorder.of("machines.setDeleteAfter")).toHaveLength(1));
  return Object.assign(rig, { time });
}

describe.skipIf(skipWithoutProcesses)(`a caller that dies before it has set the delete timer${needsProcesses}`, () => {
  test.each<[string, PlaneOptions, OwnedSpec]>([
    ["counts from the last traffic", { quirks: { autoDestroy: "idle" } }, {}],
    ["counts from the creation", { quirks: { autoDestroy: "wall" } }, {}],
    ["on a machine from a snapshot", {}, { fromSnapshot: "ready-made" }],
    ["with a size, where labels are refused", { quirks: { labels: "refused" } }, { vcpu: 4 }],
  ])("leaves a machine that boxd destroys a minute after its time: the timer %s", async (_title, plane, spec) => {
    await using rig = await orphan(plane, { ...spec, expiry: LIFETIME });
    await rig.time.advance((LIFETIME.afterSeconds + 59) * SECOND);
    expect(rig.plane.survivors()).toHaveLength(1);
    await rig.time.advance(2 * SECOND);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("may put an expiry off later unless it is final, so then nothing is sent that cannot be changed", async () => {
    await using rig = await orphan({}, { expiry: { afterSeconds: 900 } });
    await rig.time.advance(10_000 * SECOND);
    expect(rig.plane.survivors()).toHaveLength(1);
  });
});

describe.skipIf(skipWithoutProcesses)(`a boxd that refuses the timer of a create call${needsProcesses}`, () => {
  test.each<[string, OwnedSpec, object]>([
    ["gets the rest", { vcpu: 4 }, { config: { vcpu: 4 } }],
    ["gets nothing of it where there is no rest, from a snapshot", { fromSnapshot: "ready-made" }, {}],
  ])("%s; the delete timer is set all the same", async (_title, spec, rest) => {
    await using rig = new Rig({ quirks: { autoDestroy: "refused" } });
    rig.plane.snapshots.set("ready-made", { status: "ready", vcpu: 2 });
    const { name } = await rig.driver.createOwned({ ...spec, expiry: LIFETIME });
    const [first, second] = rig.plane.recorder.of("machines.create").map(({ args }) => args[0] as object);
    expect(first).toMatchObject({ config: { autoDestroyTimeout: 960 } });
    expect(second).toMatchObject(rest);
    expect(JSON.stringify(second)).not.toContain("autoDestroyTimeout");
    expect(Object.keys(second ?? {}).includes("config")).toBe("config" in rest);
    expect(rig.plane.machine(name).timers.deleteAt).toBeInstanceOf(Date);
    expect(rig.plane.survivors()).toHaveLength(1);
  });

  test("sets the longest timer, whose backstop would be longer than it takes", async () => {
    await using rig = new Rig();
    const { expiresAt } = await rig.driver.createOwned({ expiry: { afterSeconds: 2_592_000, final: true } });
    expect(expiresAt).toBeInstanceOf(Date);
    expect(rig.plane.survivors()).toHaveLength(1);
  });

  test("that refuses a size is told nothing else", async () => {
    await using rig = new Rig();
    rig.plane.faults.inject(scenarios.refused("machines.create", 3, "vcpu is not offered", { times: Infinity }));
    await expect(rig.driver.createOwned({ vcpu: 8, expiry: LIFETIME })).rejects.toMatchObject({ kind: "invalid" });
    expect(rig.plane.recorder.of("machines.create")).toHaveLength(1);
  });
});
