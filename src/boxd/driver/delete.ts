import { withoutUndefined } from "../../base/without-undefined.ts";
import { callControlPlane, type Operation } from "./call.ts";
import type { Machine } from "./client.ts";
import { classifyError, CleanupUnconfirmedError, errorText, type LeftBehind } from "./errors.ts";
import { listMachines, machineNamed, readMachine } from "./lookup.ts";

/** What is known of a machine that was to be deleted. */
export type DeletionReceipt =
  /** boxd no longer knows it: neither by id nor in a listing, from the first such look to one that began `listingLagMs` later */
  | { id: string; state: "destroyed" }
  /** the same in several looks, but for this long only, in milliseconds: a listing that lags longer may hide it */
  | { id: string; state: "unlisted"; absentMs: number };

/** Acknowledged deletions that linger are asked for again after so many reads. */
const READS_PER_REQUEST = 5;
/** One absent reading is not trusted: listings lag, and a deletion is acknowledged before it happens. */
const ABSENCES_NEEDED = 2;
/** For what may be known by its name only. `get` need not know names, so then the listing alone denies it. */
const ABSENCES_NEEDED_BY_NAME = 4;

/**
 * Deletes a machine and says what is known of it then. A machine that is already gone is a success. Ends with a receipt or with a
 * `CleanupUnconfirmedError` that names the machine; an acknowledgement alone is never a receipt. `id` may be a name, where the create call never
 * brought an id.
 */
export async function deleteConfirmed(
  operation: Operation,
  id: string,
  known: Partial<LeftBehind> = {},
): Promise<DeletionReceipt> {
  const isId = known.name !== undefined && known.name !== id;
  const absences = new Absences(operation, isId ? ABSENCES_NEEDED : ABSENCES_NEEDED_BY_NAME);
  await deleteWatched(operation, id, id, absences, leftBehind(id, known));
  return absences.isSettled ? { id, state: "destroyed" } : { id, state: "unlisted", absentMs: absences.lastedMs };
}

/** The same for whom only a machine that is gone will do: throws `CleanupUnconfirmedError` for one that is merely not listed at present. */
export async function deleteSettled(operation: Operation, id: string, known: Partial<LeftBehind> = {}): Promise<void> {
  const receipt = await deleteConfirmed(operation, id, known);
  if (receipt.state !== "destroyed") throw unsettled(leftBehind(id, known), receipt.absentMs);
}

/**
 * The same for whatever machine bears the name. `knownId` is where to begin; when that machine is gone and another bears the name, the other is
 * deleted. Resolves once boxd shows no machine of the name.
 */
export async function deleteNamed(operation: Operation, name: string, knownId: string | undefined): Promise<void> {
  const left = withoutUndefined({ handle: name, name, labels: {}, id: knownId });
  const absences = new Absences(operation, ABSENCES_NEEDED_BY_NAME);
  await deleteWatched(operation, knownId ?? name, name, absences, left);
  if (!absences.isSettled) throw unsettled(left, absences.lastedMs);
}

/**
 * True when boxd does not know the machine, neither by id nor in the listing, for as long as a listing may lag; false as soon as it is seen. For
 * callers that must not take a stale `not found` for the loss of a machine.
 */
export async function isGone(operation: Operation, id: string): Promise<boolean> {
  const absences = new Absences(operation, ABSENCES_NEEDED);
  for (;;) {
    absences.begin();
    if ((await look(operation, id, id)) !== undefined) return false;
    absences.add();
    if (absences.isSettled) return true;
    await operation.deadline.sleep(operation.times.pollMs, `machine ${id} is looked for again`);
  }
}

/** Looks in a row that found nothing, and how long they have been finding nothing. */
class Absences {
  readonly #operation: Operation;
  readonly #needed: number;
  #count = 0;
  #began = 0;
  #since = 0;

  constructor(operation: Operation, needed: number) {
    this.#operation = operation;
    this.#needed = needed;
  }

  /** A look begins; what it finds is as old as this. */
  begin(): void {
    this.#began = this.#operation.clock.now();
  }

  add(): void {
    if (this.#count === 0) this.#since = this.#operation.clock.now();
    this.#count += 1;
  }

  reset(): void {
    this.#count = 0;
  }

  get any(): boolean {
    return this.#count > 0;
  }

  get isEnough(): boolean {
    return this.#count >= this.#needed;
  }

  /** milliseconds between the end of the first look and the beginning of the last */
  get lastedMs(): number {
    return Math.max(0, Math.round(this.#began - this.#since));
  }

  get isSettled(): boolean {
    return this.isEnough && this.#began - this.#since >= this.#operation.times.listingLagMs;
  }
}

function leftBehind(id: string, known: Partial<LeftBehind>): LeftBehind {
  return { handle: known.name ?? id, name: known.name ?? id, labels: {}, ...known, id };
}

function unsettled(left: LeftBehind, absentMs: number): CleanupUnconfirmedError {
  const message = `machine ${left.name} is in no listing, but was looked for again for ${absentMs}ms only, and a listing may lag longer`;
  return new CleanupUnconfirmedError(left, message);
}

/**
 * `first` is what boxd is asked to delete and to read: an id, or a name as long as no look has brought the id. A row of this `name` counts as well.
 * Ends once the absences are settled, or with the deadline when they are enough by then.
 */
async function deleteWatched(
  operation: Operation,
  first: string,
  name: string,
  absences: Absences,
  left: LeftBehind,
): Promise<void> {
  const { deadline, times } = operation;
  let target = first;
  let reads = 0;
  let lastError: unknown;
  try {
    for (;;) {
      if (!absences.any && (reads % READS_PER_REQUEST === 0 || lastError !== undefined))
        lastError = await requestDelete(operation, target);
      reads += 1;
      absences.begin();
      const seen = await look(operation, target, name);
      if (seen === undefined) absences.add();
      else absences.reset();
      if (absences.isSettled) return;
      // Where a name was given, boxd may take nothing but the id, which this look has brought.
      if (seen !== undefined && seen.id !== target) {
        target = seen.id;
        reads = 0;
      }
      const why = lastError === undefined ? "" : ` (${errorText(lastError)})`;
      await deadline.sleep(times.pollMs, `machine ${target} is still there${why}`);
    }
  } catch (error) {
    if (absences.isEnough) return;
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
