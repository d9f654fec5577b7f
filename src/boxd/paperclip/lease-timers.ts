/** The timers that end what nobody ends: boxd keeps them, so they go off whatever becomes of the host and of this worker. */
import type { Clock, Expiry } from "../driver/index.ts";
import type { ConnectedLease } from "./ownership.ts";

/** A machine that waits for its next run is written to disk after this many seconds, where it takes no memory. */
const HIBERNATE_AFTER_SECONDS = 600;
/** A timer of less than this may go off while it is being set. */
const LEAST_MS = 10_000;

/** The earlier of `seconds` from now and the moment that the host asked for. */
export function endOf(seconds: number, requested: Date | undefined, clock: Clock): Expiry {
  const isEarlier = requested !== undefined && requested.getTime() <= clock.wallNow() + seconds * 1000;
  return isEarlier ? { at: requested } : { afterSeconds: seconds };
}

/** True when the moment is so near that no timer can be set for it. */
export function isOver(requested: Date | undefined, clock: Clock): boolean {
  return requested !== undefined && requested.getTime() <= clock.wallNow() + LEAST_MS;
}

/** Before a machine is suspended for the next run: it may hibernate, and is deleted when that run does not come in time. */
export async function parkLease(lease: ConnectedLease, requested: Date | undefined): Promise<void> {
  const { connection, driver, deadline, id } = lease;
  await driver.setExpiry(id, endOf(connection.reuseIdleSeconds, requested, driver.clock), deadline);
  await driver.setIdleTimers(id, { suspendSeconds: 0, hibernateSeconds: HIBERNATE_AFTER_SECONDS }, deadline);
}

/** For the next run: the machine stays awake, and has a whole run's time again. Answers when boxd will delete it. */
export async function continueLease(lease: ConnectedLease, requested: Date | undefined): Promise<Date> {
  const { connection, driver, deadline, id } = lease;
  const expiresAt = await driver.setExpiry(id, endOf(connection.maxLeaseSeconds, requested, driver.clock), deadline);
  await driver.setIdleTimers(id, { suspendSeconds: 0, hibernateSeconds: 0 }, deadline);
  return expiresAt;
}
