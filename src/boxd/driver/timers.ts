import { retryCall, type Operation } from "./call.ts";
import { BoxdDriverError } from "./errors.ts";
import { readMachine } from "./lookup.ts";
import { assertIdle, secondsUntil, type Expiry, type IdleTimers } from "./machine-spec.ts";

/** The clock of boxd and a rounded record may differ from ours by this much without the moment counting as missed. */
const CLOCK_TOLERANCE_MS = 2_000;
const TRIES = 3;

/**
 * Sets the delete timer and answers the latest moment at which boxd will delete the machine. With `at` that moment is never later than asked:
 * the timer counts from when boxd received it, so it is set again, shorter, when the call itself took too long. Where the record shows the
 * timer, it is read back.
 */
export async function setExpiry(operation: Operation, id: string, expiry: Expiry): Promise<Date> {
  const { client, clock } = operation;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const seconds = secondsUntil(expiry, clock);
    await retryCall(operation, `set the delete timer of machine ${id}`, () =>
      client.machines.setDeleteAfter(id, seconds),
    );
    const latest = new Date(clock.wallNow() + seconds * 1000);
    if ("afterSeconds" in expiry || latest.getTime() <= expiry.at.getTime()) {
      await readBack(operation, id, latest);
      return latest;
    }
  }
  throw new BoxdDriverError("timeout", `the delete timer of machine ${id} could not be set in time for its deadline`);
}

async function readBack(operation: Operation, id: string, latest: Date): Promise<void> {
  const deleteAt = (await readMachine(operation, id))?.deleteAt;
  // Older versions do not show it; then the acknowledgement has to do.
  if (deleteAt === undefined) return;
  if (deleteAt !== null && deleteAt.getTime() <= latest.getTime() + CLOCK_TOLERANCE_MS) return;
  throw new BoxdDriverError(
    "unknown",
    `boxd acknowledged the delete timer of machine ${id}, but its record does not show it`,
  );
}

/** Sets after how many seconds without inbound traffic boxd suspends or hibernates the machine; 0 is never. */
export async function setIdleTimers(operation: Operation, id: string, idle: IdleTimers): Promise<void> {
  assertIdle(idle);
  const { machines } = operation.client;
  await retryCall(operation, `set the suspend timer of machine ${id}`, () =>
    machines.setAutoSuspendTimeout(id, idle.suspendSeconds),
  );
  await retryCall(operation, `set the hibernate timer of machine ${id}`, () =>
    machines.setAutoHibernateTimeout(id, idle.hibernateSeconds),
  );
}
