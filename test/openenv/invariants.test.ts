/** I1 to I6 (facts D4) through the provider, over random faults of D5, and the exact length of every wait. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JumpClock } from "../paperclip/jump-clock.ts";
import { fastClock, scenarios, TEST_KEY } from "../support/boxd-fake/index.ts";
import { faultPlans, plannedFault } from "../support/boxd-fake/random-faults.ts";
import { cannotRun, needs, Rig, thrown } from "./rig.ts";

const SECRET = "canary-secret-0123456789";
const METHODS = ["create", "get", "list", "delete", "exec", "setDeleteAfter", "setEgressAllow", "files.upload", "proxies.setPort"] as const;

describe.skipIf(cannotRun)(`invariants through the provider${needs}`, () => {
  test("I1 I2 I3 I4 I6 over random faults", async () => {
    await fc.assert(fc.asyncProperty(fc.array(faultPlans(METHODS), { minLength: 1, maxLength: 3 }), fc.constantFrom("echo", "unrunnable", "exits"), async (faults, image) => {
      await using rig = await Rig.start();
      const options = { clock: fastClock(20), startTimeoutMs: 20_000, times: { pollMs: 200, callMs: 2_000, cleanupMs: 6_000, settleMs: 1_000 } };
      const provider = rig.provider({ ...options, apiKey: TEST_KEY, envVars: { TOKEN: SECRET }, egressAllow: ["none"] });
      for (const fault of faults) rig.plane.faults.inject(plannedFault(fault, `${TEST_KEY} ${SECRET}`));
      const texts: string[] = [];
      const attempt = async (work: Promise<unknown>): Promise<boolean> => work.then(() => true, (error: Error) => (texts.push(`${error.stack} ${String(error.cause)}`), false));
      await attempt(provider.startContainer(image));
      for (const machine of rig.plane.survivors()) expect((await thrown(provider.startContainer())).message, `I1: ${machine.name} is still the provider's`).toContain("stop it first");
      if (await attempt(provider.stopContainer())) {
        expect(rig.plane.survivors(), "I2: stopped is gone").toEqual([]);
        expect(rig.plane.processes(), "I6").toEqual([]);
      }
      rig.plane.faults.clear();
      await provider.stopContainer();
      expect(rig.plane.survivors(), "I1: what could not be deleted is deleted in the end").toEqual([]);
      expect(rig.plane.recorder.of("machines.create").length, "I3").toBeLessThanOrEqual(1);
      expect(rig.plane.allMachines().length).toBeLessThanOrEqual(1);
      const hidden = [SECRET, TEST_KEY, ...rig.plane.allMachines().map(({ name }) => name)];
      for (const secret of hidden) expect(texts.join("\n"), "I4").not.toContain(secret);
      expect(rig.plane.recorder.leaksOf(SECRET), "I4").toEqual([]);
    }), { numRuns: Number(process.env["INVARIANT_RUNS"] ?? 15), endOnFailure: true });
  }, 120_000);

  test("I5 O16 a wait of 5 s ends within 6 s on a plane that answers nothing", async () => {
    const clock = new JumpClock();
    await using rig = await Rig.start();
    const provider = rig.provider({ clock });
    const before = clock.now();
    rig.plane.faults.inject(scenarios.stalled("*", "before", { times: Infinity }));
    expect(await thrown(provider.waitForReady("https://nobody.machines.boxd.test", { timeoutMs: 5_000 }))).toMatchObject({ code: "NOT_READY" });
    expect(clock.now() - before).toBeLessThanOrEqual(6_000);
    const started = clock.now();
    expect(await thrown(rig.provider({ clock, startTimeoutMs: 30_000 }).startContainer())).toMatchObject({ code: "CLEANUP_FAILED" });
    expect(clock.now() - started, "the budget, and cleanup's own").toBeLessThanOrEqual(51_000);
    rig.plane.faults.clear();
  });

  test("I5 O16 E-29 E-37 a stalled exec does not stretch the wait", async () => {
    await using rig = await Rig.start();
    const provider = rig.provider({ image: "sick" });
    const base = await provider.startContainer();
    rig.plane.faults.inject(scenarios.stalled("machines.exec", "before", { times: Infinity }));
    // Without a limit of its own the call would take its 15 s, which is more than this test has.
    expect(await thrown(provider.waitForReady(base, { timeoutMs: 800 }))).toMatchObject({ code: "NOT_READY" });
    rig.plane.faults.clear();
  });
});
