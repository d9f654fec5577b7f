import { expectSame, shell, type SmokeContext, type SmokeStep } from "./step.ts";
import type { Deadline } from "../deadline.ts";

/** Suspending keeps files and processes; stopping keeps files. */
export const STATE_STEPS: readonly SmokeStep[] = [
  {
    title: "suspend and resume, a file and a process kept",
    limitMs: 240_000,
    async run(context, budget) {
      const { driver, id } = context;
      await shell(
        context,
        budget,
        "printf kept > smoke-kept; setsid sleep 3600 > /dev/null 2>&1 < /dev/null & printf %s $! > smoke-pid",
      );
      await driver.park(id, budget);
      await expectState(context, budget, "suspended");
      await driver.wake(id, budget);
      await expectState(context, budget, "running");
      const { stdout } = await shell(context, budget, 'cat smoke-kept; kill -0 "$(cat smoke-pid)" && printf " alive"');
      expectSame("file and process after resuming", "kept alive", stdout);
    },
  },
  {
    title: "stop and start, the file kept",
    limitMs: 240_000,
    async run(context, budget) {
      const { driver, id } = context;
      await driver.stopConfirmed(id, budget);
      await driver.wake(id, budget);
      const { stdout } = await shell(context, budget, "cat smoke-kept");
      expectSame("the file after starting", "kept", stdout);
    },
  },
];

async function expectState({ driver, id }: SmokeContext, budget: Deadline, state: string): Promise<void> {
  expectSame("state", state, (await driver.inspect(id, budget)).state);
}
