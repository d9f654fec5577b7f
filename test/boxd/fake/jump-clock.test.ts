import { describe, expect, test } from "vitest";
import { JumpClock, processesSupported, scenarios } from "../../support/boxd-fake/index.ts";
import { withMachine } from "./harness.ts";

describe("a clock that jumps", () => {
  test("goes from sleeper to sleeper, in order, and takes exactly what was slept", async () => {
    const clock = new JumpClock();
    const woken: string[] = [];
    const sleeping = async (name: string, ms: number): Promise<void> => {
      await clock.sleep(ms);
      woken.push(`${name} ${String(clock.now())}`);
    };
    await Promise.all([
      sleeping("day", 86_400_000),
      sleeping("second", 1_000),
      sleeping("now", 0),
      (async () => {
        await sleeping("a", 5);
        await sleeping("b", 5);
      })(),
    ]);
    expect(woken).toEqual(["now 0", "a 5", "b 10", "second 1000", "day 86400000"]);
  });

  test("does not keep whoever is aborted, before or while it sleeps", async () => {
    const clock = new JumpClock();
    const abort = new AbortController();
    const sleeping = clock.sleep(1_000, abort.signal);
    abort.abort();
    await sleeping;
    await clock.sleep(1_000, abort.signal);
    expect(clock.now()).toBe(0);
  });

  test.skipIf(!processesSupported)(
    "waits for what a plane works on, and not for calls that stall or are held up, or machines that sleep (needs /proc)",
    async () => {
      await withMachine({}, async ({ plane, machine, sh }) => {
        const clock = new JumpClock(plane, 0);
        const order: string[] = [];
        await Promise.all([
          sh("sleep 0.2; echo done").then(() => order.push("command")),
          clock.sleep(60_000).then(() => order.push("minute")),
        ]);
        expect(order).toEqual(["command", "minute"]);
        plane.faults.inject(scenarios.stalled("machines.get", "before"));
        void plane
          .client()
          .machines.get(machine.id)
          .catch(() => undefined);
        await clock.sleep(60_000);
        plane.faults.inject(scenarios.slow("machines.list", 90_000, "before"));
        const before = clock.now();
        await plane.client().machines.list();
        expect(clock.now() - before).toBe(90_000);
        void sh("sleep 100").catch(() => undefined);
        await machine.force("suspended");
        await clock.sleep(60_000);
        expect(clock.now()).toBe(270_000);
      });
    },
  );
});
