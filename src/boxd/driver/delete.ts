import type { Deadline } from "./deadline.ts";
import type { Machine } from "./client.ts";
import { control, type DriverContext } from "./call.ts";
import { classifyError, CleanupUnconfirmedError, type LeftBehind } from "./errors.ts";
import { listMachines, machineNamed, readMachine } from "./lookup.ts";

/** boxd no longer knows the machine: neither by id nor in the listing, in several looks in a row. */
export interface DestroyedReceipt {
  id: string;
  state: "destroyed";
}

/** Acknowledged deletions that linger are asked for again after so many reads. */
const READS_PER_REQUEST = 5;
/** One absent reading is not trusted: listings lag, and a deletion is acknowledged before it happens. */
const ABSENCES_NEEDED = 2;
/** For what may be known by its name only. `get` need not know names, so then the listing alone denies it. */
const ABSENCES_NEEDED_BY_NAME = 4;

/** What a deletion watches. */
interface Watched {
  /** what boxd is asked to delete and to read: an id, or a name as long as no look has brought the id */
  target: string;
  /** a row of this name counts as well */
  name: string;
  absencesNeeded: number;
}

/**
 * Deletes a machine and proves it. A machine that is already gone is a success. Ends with a receipt or with a `CleanupUnconfirmedError` that
 * names the machine; an acknowledgement alone is never a receipt. `id` may be a name, where the create call never brought an id.
 */
export async function deleteConfirmed(
  context: DriverContext,
  id: string,
  budget: Deadline,
  known: Partial<LeftBehind> = {},
): Promise<DestroyedReceipt> {
  const left: LeftBehind = { handle: known.name ?? id, name: known.name ?? id, labels: {}, ...known, id };
  const isId = known.name !== undefined && known.name !== id;
  await confirmed(
    context,
    { target: id, name: id, absencesNeeded: isId ? ABSENCES_NEEDED : ABSENCES_NEEDED_BY_NAME },
    left,
    budget,
  );
  return { id, state: "destroyed" };
}

/**
 * The same for whatever machine bears the name. `knownId` is where to begin; when that machine is gone and another bears the name, the other is
 * deleted. Resolves once boxd shows no machine of the name.
 */
export async function deleteNamed(
  context: DriverContext,
  name: string,
  knownId: string | undefined,
  budget: Deadline,
): Promise<void> {
  const left: LeftBehind = { handle: name, name, labels: {}, ...(knownId === undefined ? {} : { id: knownId }) };
  await confirmed(context, { target: knownId ?? name, name, absencesNeeded: ABSENCES_NEEDED_BY_NAME }, left, budget);
}

async function confirmed(context: DriverContext, watched: Watched, left: LeftBehind, budget: Deadline): Promise<void> {
  try {
    await deleteAndWatch(context, watched, budget);
  } catch (error) {
    const id = left.id === undefined ? "" : ` (id ${left.id})`;
    throw new CleanupUnconfirmedError(
      left,
      `machine ${left.name}${id} could not be confirmed as deleted: ${textOf(error)}`,
      { cause: error },
    );
  }
}

async function deleteAndWatch(
  context: DriverContext,
  { target: first, name, absencesNeeded }: Watched,
  budget: Deadline,
): Promise<void> {
  let target = first;
  let absences = 0;
  let reads = 0;
  let lastError: unknown;
  while (absences < absencesNeeded) {
    if (reads % READS_PER_REQUEST === 0 || lastError !== undefined)
      lastError = await requestDelete(context, target, budget);
    reads += 1;
    const seen = await sight(context, target, name, budget);
    absences = seen === undefined ? absences + 1 : 0;
    // Where a name was given, boxd may take nothing but the id, which this sight has brought.
    if (seen !== undefined && seen.id !== target) {
      target = seen.id;
      reads = 0;
    }
    if (absences < absencesNeeded) {
      await budget.sleep(
        context.times.pollMs,
        `machine ${target} is still there${lastError === undefined ? "" : ` (${textOf(lastError)})`}`,
      );
    }
  }
}

/**
 * True when boxd does not know the machine, neither by id nor in the listing, twice in a row; false at the first sight of it. For callers that must not take
 * one stale `not found` for the loss of a machine.
 */
export async function isGone(context: DriverContext, id: string, budget: Deadline): Promise<boolean> {
  for (let absences = 0; absences < ABSENCES_NEEDED; absences += 1) {
    if (absences > 0) await budget.sleep(context.times.pollMs, `machine ${id} is looked for again`);
    if ((await sight(context, id, id, budget)) !== undefined) return false;
  }
  return true;
}

/** Asks once. Trouble that may pass is returned, to be asked again; a refusal that will stay (403, a malformed id) is thrown. */
async function requestDelete(context: DriverContext, id: string, budget: Deadline): Promise<unknown> {
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

/**
 * The machine as one of boxd's two sights shows it; undefined when both lack it. A read that fails is no absence. The row that was seen counts: another
 * listing may lack it again.
 */
async function sight(context: DriverContext, id: string, name: string, budget: Deadline): Promise<Machine | undefined> {
  const machine = await readMachine(context, id, budget);
  if (machine !== undefined) return machine;
  const listed = await listMachines(context, budget);
  return listed.find((row) => row.id === id) ?? machineNamed(context, listed, name, budget);
}

/** The text of an error for another error's message. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
