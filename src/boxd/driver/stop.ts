import type { Deadline } from "./deadline.ts";
import { call, type DriverContext } from "./call.ts";
import { BoxdDriverError, isErrorKind } from "./errors.ts";
import { drive, type Step } from "./transition.ts";

/** boxd reports the machine as stopped; its disk is kept, its processes are gone. */
export interface StoppedReceipt {
  id: string;
  state: "stopped";
}

/** Writing out the page cache, which a power-off would lose. */
const SYNC_MS = 10_000;

/**
 * Stops a machine and proves it. A parked machine is woken first, because only a running one can be stopped. Never deletes. The receipt is
 * given only after a record that says `stopped`; a missing or failed machine is an error, for nothing was stopped.
 */
export async function stopConfirmed(context: DriverContext, id: string, budget: Deadline): Promise<StoppedReceipt> {
  let synced = false;
  await drive(
    context,
    id,
    "stopped",
    async (state): Promise<Step> => {
      switch (state) {
        case "stopped":
          return "done";
        case "suspended":
          return "resume";
        case "hibernated":
          return "wake";
        case "running":
          if (!synced) await sync(context, id, budget);
          synced = true;
          return "stop";
        case "failed":
          throw new BoxdDriverError(
            { kind: "conflict", conflict: "wrong-state" },
            `machine ${id} has failed, so it cannot be confirmed as stopped`,
          );
        default:
          return "wait";
      }
    },
    budget,
  );
  return { id, state: "stopped" };
}

/** Best effort: a guest that hangs must not keep its machine from being stopped. */
async function sync(context: DriverContext, id: string, budget: Deadline): Promise<void> {
  // At most a third of what is left, so that a silent guest leaves time for the stop itself.
  const timeout = Math.max(1, Math.ceil(Math.min(SYNC_MS, budget.remaining() / 3)));
  const part = budget.part(timeout, "sync");
  try {
    await call(context, part, `sync machine ${id}`, () =>
      context.client.machines.exec(id, { command: "sync", timeout }),
    );
  } catch (error) {
    if (isErrorKind(error, "aborted")) throw error;
  }
}
