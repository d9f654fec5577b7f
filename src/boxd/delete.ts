import type { Budget } from "./budget.ts";
import type { Machine } from "./client.ts";
import { control, type DriverContext } from "./context.ts";
import { classifyError, CleanupUnconfirmedError, type LeftBehind } from "./errors.ts";
import { findByName, listMachines, readMachine } from "./lookup.ts";

/** boxd no longer knows the machine: neither by id nor in the listing, twice in a row. */
export interface DestroyedReceipt {
  id: string;
  state: "destroyed";
}

/** Acknowledged deletions that linger are asked for again after so many reads. */
const READS_PER_REQUEST = 5;
/** One absent reading is not trusted: listings lag, and a deletion is acknowledged before it happens. */
const ABSENCES_NEEDED = 2;

/**
 * Deletes a machine and proves it. A machine that is already gone is a success. Ends with a receipt or with a `CleanupUnconfirmedError` that
 * names the machine; an acknowledgement alone is never a receipt.
 */
export async function deleteConfirmed(
  context: DriverContext,
  id: string,
  budget: Budget,
  known: Partial<LeftBehind> = {},
): Promise<DestroyedReceipt> {
  const left: LeftBehind = { handle: known.name ?? id, name: known.name ?? id, labels: {}, ...known, id };
  try {
    await deleteAndWatch(context, id, budget);
    return { id, state: "destroyed" };
  } catch (error) {
    throw new CleanupUnconfirmedError(left, `machine ${left.name} (id ${id}) could not be confirmed as deleted: ${textOf(error)}`, {
      cause: error,
    });
  }
}

async function deleteAndWatch(context: DriverContext, id: string, budget: Budget): Promise<void> {
  let target = id;
  let absences = 0;
  let reads = 0;
  let lastError: unknown;
  while (absences < ABSENCES_NEEDED) {
    if (reads % READS_PER_REQUEST === 0 || lastError !== undefined) lastError = await requestDelete(context, target, budget);
    reads += 1;
    const seen = await sight(context, id, budget);
    absences = seen === undefined ? absences + 1 : 0;
    // Where a name was given, boxd may take nothing but the id, which this sight has brought.
    if (seen !== undefined && seen.id !== target) {
      target = seen.id;
      reads = 0;
    }
    if (absences < ABSENCES_NEEDED) {
      await budget.sleep(context.times.pollMs, `machine ${id} is still there${lastError === undefined ? "" : ` (${textOf(lastError)})`}`);
    }
  }
}

/**
 * True when boxd does not know the machine, neither by id nor in the listing, twice in a row; false at the first sight of it. For callers that must not take
 * one stale `not found` for the loss of a machine.
 */
export async function isGone(context: DriverContext, id: string, budget: Budget): Promise<boolean> {
  for (let absences = 0; absences < ABSENCES_NEEDED; absences += 1) {
    if (absences > 0) await budget.sleep(context.times.pollMs, `machine ${id} is looked for again`);
    if ((await sight(context, id, budget)) !== undefined) return false;
  }
  return true;
}

/** Asks once. Trouble that may pass is returned, to be asked again; a refusal that will stay (403, a malformed id) is thrown. */
async function requestDelete(context: DriverContext, id: string, budget: Budget): Promise<unknown> {
  try {
    await control(context, budget, `delete machine ${id}`, () => context.client.machines.delete(id));
    return undefined;
  } catch (error) {
    const { kind } = classifyError(error);
    if (kind === "not-found") return undefined;
    if (kind === "auth" || kind === "invalid" || kind === "timeout" || kind === "aborted") throw error;
    return error;
  }
}

/** The machine as one of boxd's two sights shows it; undefined when both lack it. A read that fails is no absence. */
async function sight(context: DriverContext, idOrName: string, budget: Budget): Promise<Machine | undefined> {
  const machine = await readMachine(context, idOrName, budget);
  if (machine !== undefined) return machine;
  const listed = await listMachines(context, budget);
  const byId = listed.find(({ id }) => id === idOrName);
  return byId ?? (listed.some(({ name }) => name === idOrName) ? findByName(context, idOrName, budget) : undefined);
}

/** The text of an error for another error's message. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
