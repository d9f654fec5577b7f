/** The driver's invariants over the wire, for every kind of fault in the deep run and for some of them in `npm test`. */
import { describe, expect, test } from "vitest";
import { repeatedRuns } from "../../support/boxd-fake/index.ts";
import { NEWEST } from "../../support/boxd-wire/newest.ts";
import { eachKind, kindsBeside, plannedFault, type FaultPlan } from "../../support/boxd-fake/random-faults.ts";
import { IS_DEEP } from "../../support/runs.ts";
import { Caller, SECRET, type Step } from "../driver/caller.ts";
import { needsProcesses, skipWithoutProcesses } from "../driver/rig.ts";
import { WireRig } from "./wire-rig.ts";

/** Which of the calls of a method is struck. */
const CALLS = {
  create: 1,
  get: 2,
  list: 1,
  delete: 1,
  start: 1,
  resume: 1,
  wake: 1,
  exec: 2,
  "files.upload": 1,
};
const PLANS = eachKind(CALLS, ["create", "exec", "delete", "get"]);
const STEPS: readonly Step[] = ["create", "exec", "upload", "sleeps", "exec", "download", "stop", "wake", "delete"];
/** In `npm test`: one of so many. */
const SAMPLE = 6;

describe.skipIf(skipWithoutProcesses)(`the driver over the wire${needsProcesses}`, () => {
  test("a plan for every kind of fault", () => {
    expect(kindsBeside(PLANS)).toEqual([]);
  });

  const sampled = PLANS.filter((_plan, index) => IS_DEEP || index % SAMPLE === 0);
  test.each(sampled.map((plan): [string, FaultPlan] => [`${plan.how} of ${plan.method}`, plan]))(
    "I1 I2 I3 I4 I6 I7 with %s",
    async (_title, plan) => {
      await using rig = await WireRig.open({ quirks: NEWEST });
      const { plane } = rig;
      const caller = new Caller(plane, { client: rig.client(), clock: rig.clock });
      plane.faults.inject(plannedFault(plan, SECRET));
      for (const step of STEPS) await caller.take(step);
      expect(caller.lost(), "I1").toEqual([]);
      expect(repeatedRuns(plane), "I3").toEqual([]);
      expect(caller.texts.join("\n"), "I4").not.toContain(SECRET);
      expect(plane.recorder.leaksOf(SECRET), "I4").toEqual([]);
      plane.faults.clear();
    },
  );

  test("an SDK that repeats lost creates by itself, sooner or later than the driver gives up, leaves no machine that nobody knows", async () => {
    await using rig = await WireRig.open({ quirks: NEWEST });
    const caller = new Caller(rig.plane, { client: rig.client({ maxRetries: 2 }), clock: rig.clock });
    rig.plane.faults.inject(plannedFault({ method: "create", nth: 1, times: 1, how: "lost-14" }, SECRET));
    for (const step of ["create", "exec", "delete"] as const) await caller.take(step);
    await expect.poll(() => rig.plane.recorder.of("machines.create").length, { timeout: 20_000 }).toBe(2);
    await expect.poll(() => caller.lost(), { timeout: 20_000 }).toEqual([]);
  });
});
