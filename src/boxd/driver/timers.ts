import type { Deadline } from "./deadline.ts";
import type { DriverContext } from "./call.ts";
import { BoxdDriverError } from "./errors.ts";
import { reading, readMachine } from "./lookup.ts";
import { assertIdle, assertSeconds, type Expiry, type IdleTimers } from "./machine-spec.ts";

/** The clock of boxd and a rounded record may differ from ours by this much without the deadline counting as missed. */
const CLOCK_TOLERANCE_MS = 2_000;
const TRIES = 3;

/**
 * Sets the delete timer and answers the latest moment at which boxd will delete the machine. With `at` that moment is never later than asked: the timer
 * counts from when boxd received it, so it is set again, shorter, when the call itself took too long. Where the record shows the
 * deadline, it is read back.
 */
export async function setExpiry(context: DriverContext, id: string, expiry: Expiry, budget: Deadline): Promise<Date> {
  for (let tries = 1; ; tries += 1) {
    const seconds = secondsUntil(context, expiry);
    await reading(context, budget, `set the delete timer of machine ${id}`, () =>
      context.client.machines.setDeleteAfter(id, seconds),
    );
    const latest = new Date(context.clock.wallNow() + seconds * 1000);
    if ("afterSeconds" in expiry || latest.getTime() <= expiry.at.getTime()) {
      await readBack(context, id, latest, budget);
      return latest;
    }
    if (tries >= TRIES)
      throw new BoxdDriverError(
        { kind: "timeout" },
        `the delete timer of machine ${id} could not be set in time for its deadline`,
      );
  }
}

/** Whole seconds, two fewer than there are, for the call itself. Throws `invalid` when the moment is too close or past. */
export function secondsUntil(context: Pick<DriverContext, "clock">, expiry: Expiry): number {
  if ("afterSeconds" in expiry) {
    assertSeconds("the delete timer", expiry.afterSeconds, 1);
    return expiry.afterSeconds;
  }
  const seconds = Math.floor((expiry.at.getTime() - context.clock.wallNow()) / 1000) - 2;
  if (!Number.isSafeInteger(seconds) || seconds < 1) {
    throw new BoxdDriverError({ kind: "invalid" }, "the expiry must be a moment at least three seconds from now");
  }
  return seconds;
}

async function readBack(context: DriverContext, id: string, latest: Date, budget: Deadline): Promise<void> {
  const deleteAt = (await readMachine(context, id, budget))?.deleteAt;
  // Older versions do not show it; then the acknowledgement has to do.
  if (deleteAt === undefined) return;
  if (deleteAt === null || deleteAt.getTime() > latest.getTime() + CLOCK_TOLERANCE_MS) {
    throw new BoxdDriverError(
      { kind: "unknown" },
      `boxd acknowledged the delete timer of machine ${id}, but its record does not show it`,
    );
  }
}

/** Sets after how many seconds without inbound traffic boxd parks the machine; 0 is never. */
export async function setIdleTimers(
  context: DriverContext,
  id: string,
  idle: IdleTimers,
  budget: Deadline,
): Promise<void> {
  assertIdle(idle);
  const { machines } = context.client;
  await reading(context, budget, `set the suspend timer of machine ${id}`, () =>
    machines.setAutoSuspendTimeout(id, idle.suspendSeconds),
  );
  await reading(context, budget, `set the hibernate timer of machine ${id}`, () =>
    machines.setAutoHibernateTimeout(id, idle.hibernateSeconds),
  );
}
