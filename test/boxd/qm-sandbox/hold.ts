import { expect } from "vitest";
import { createBoxdSandbox, type BoxdSandboxOptions } from "../../../src/boxd/qm-sandbox/index.ts";
import { FakePlane, JumpClock, repeatedRuns, TEST_KEY, type Fault } from "../../support/boxd-fake/index.ts";
import { plannedFault, type FaultPlan } from "../../support/boxd-fake/random-faults.ts";
import { OWN, Qm, SECRET, type Step } from "./model.ts";
import type { DiskWorkspace } from "./rig.ts";

/** qm's calls under faults, and what they and everything that is left may be held to (I1 to I4, I6, I7). Answers the faults that did not strike. `rate` is `JumpClock`'s. */
export async function hold(
  workspace: DiskWorkspace,
  steps: readonly Step[],
  faults: readonly FaultPlan[],
  rate?: number,
): Promise<readonly Fault[]> {
  const plane = new FakePlane();
  const clock = new JumpClock(plane, rate);
  const options: BoxdSandboxOptions = {
    client: plane.client(),
    apiKey: TEST_KEY,
    org: "acme",
    egressProxyUrl: "http://proxy.test:3128",
    driver: { clock, times: { callMs: 2_000, settleMs: 20_000 } },
  };
  const qm = new Qm(plane, (onError) => createBoxdSandbox(workspace, { ...options, onError }));
  try {
    for (const fault of faults) plane.faults.inject(plannedFault(fault, TEST_KEY));
    for (const step of steps) await qm.take(step);
    expect(qm.lost(), "I1: every machine is kept, held, deleted or named").toEqual([]);
    expect(repeatedRuns(plane), "I3: each command at most once").toEqual([]);
    for (const secret of [SECRET, TEST_KEY]) {
      expect(qm.texts.join("\n"), "I4: nothing that qm may show or log").not.toContain(secret);
      expect(plane.recorder.leaksOf(secret), "I4: nor to boxd outside of files").toEqual([]);
    }
    const unused = plane.faults.unused();
    plane.faults.clear();
    await qm.end();
    expect(
      plane
        .survivors()
        .map(({ name }) => name)
        .filter((name) => OWN.some(({ id }) => id === name)),
      "I1: what was left can be deleted",
    ).toEqual([]);
    return unused;
  } finally {
    plane.faults.clear();
    await plane.dispose();
  }
}
