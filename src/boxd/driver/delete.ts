import { withoutUndefined } from "../../base/without-undefined.ts";
import { callControlPlane, type Operation } from "./call.ts";
import type { Machine } from "./client.ts";
import { classifyError, CleanupUnconfirmedError, errorText, type LeftBehind } from "./errors.ts";
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

/**
 * Deletes a machine and proves it. A machine that is already gone is a success. Ends with a receipt or with a `CleanupUnconfirmedError` that
 * names the machine; an acknowledgement alone is never a receipt. `id` may be a name, where the create call never brought an id.
 */
export async function deleteConfirmed(
  operation: Operation,
  id: string,
  known: Partial<LeftBehind> = {},
): Promise<DestroyedReceipt> {
  const left: LeftBehind = { handle: known.name ?? id, name: known.name ?? id, labels: {}, ...known, id };
  const isId = known.name !== undefined && known.name !== id;
  const absencesNeeded = isId ? ABSENCES_NEEDED : ABSENCES_NEEDED_BY_NAME;
  await deleteWatched(operation, id, id, absencesNeeded, left);
  return { id, state: "destroyed" };
}

/**
 * The same for whatever machine bears the name. `knownId` is where to begin; when that machine is gone and another bears the name, the other is
 * deleted. Resolves once boxd shows no machine of the name.
 */
export async function deleteNamed(operation: Operation, name: string, knownId: string | undefined): Promise<void> {
  const left = withoutUndefined({ handle: name, name, labels: {}, id: knownId });
  await deleteWatched(operation, knownId ?? name, name, ABSENCES_NEEDED_BY_NAME, left);
}

/**
 * True when boxd does not know the machine, neither by id nor in the listing, twice in a row; false as soon as it is seen. For callers that must
 * not take one stale `not found` for the loss of a machine.
 */
export async function isGone(operation: Operation, id: string): Promise<boolean> {
  const { deadline, times } = operation;
  for (let absences = 0; absences < ABSENCES_NEEDED; absences += 1) {
    if (absences > 0) await deadline.sleep(times.pollMs, `machine ${id} is looked for again`);
    if ((await look(operation, id, id)) !== undefined) return false;
  }
  return true;
}

/**
 * `first` is what boxd is asked to delete and to read: an id, or a name as long as no look has brought the id. A row of this `name` counts as well.
 */
async function deleteWatched(
  operation: Operation,
  first: string,
  name: string,
  absencesNeeded: number,
  left: LeftBehind,
): Promise<void> {
  const { deadline, times } = operation;
  let target = first;
  let absences = 0;
  let reads = 0;
  let lastError: unknown;
  try {
    while (absences < absencesNeeded) {
      if (reads % READS_PER_REQUEST === 0 || lastError !== undefined)
        lastError = await requestDelete(operation, target);
      reads += 1;
      const seen = await look(operation, target, name);
      absences = seen === undefined ? absences + 1 : 0;
      // Where a name was given, boxd may take nothing but the id, which this look has brought.
      if (seen !== undefined && seen.id !== target) {
        target = seen.id;
        reads = 0;
      }
      const why = lastError === undefined ? "" : ` (${errorText(lastError)})`;
      if (absences < absencesNeeded) await deadline.sleep(times.pollMs, `machine ${target} is still there${why}`);
    }
  } catch (error) {
    const id = left.id === undefined ? "" : ` (id ${left.id})`;
    const message = `machine ${left.name}${id} could not be confirmed as deleted: ${errorText(error)}`;
    throw new CleanupUnconfirmedError(left, message, { cause: error });
  }
}

/** Asks once. Trouble that may pass is returned, to be asked again; a refusal that will stay (403, a malformed id) is thrown. */
async function requestDelete(operation: Operation, id: string): Promise<unknown> {
  try {
    await callControlPlane(operation, `delete machine ${id}`, () => operation.client.machines.delete(id));
    return undefined;
  } catch (error) {
    const { kind } = classifyError(error);
    if (kind === "not-found") return undefined;
    if (["auth", "invalid", "defect", "timeout", "aborted"].includes(kind)) throw error;
    return error;
  }
}

/** The machine as `get` or the listing shows it; undefined when both lack it. A read that fails is no absence. */
async function look(operation: Operation, id: string, name: string): Promise<Machine | undefined> {
  const machine = await readMachine(operation, id);
  if (machine !== undefined) return machine;
  const listed = await listMachines(operation);
  // The row that was seen counts: another listing may lack it again.
  return listed.find((row) => row.id === id) ?? machineNamed(operation, listed, name);
}
