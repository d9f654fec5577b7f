import { Deadline } from "./deadline.ts";
import type { Machine } from "./client.ts";
import { call, type DriverContext } from "./call.ts";
import { deleteConfirmed, textOf } from "./delete.ts";
import { BoxdDriverError, classifyError, CleanupUnconfirmedError, isErrorKind } from "./errors.ts";
import { compareLabels, type Labels } from "./labels.ts";
import { findByName } from "./lookup.ts";
import { assertMachineName, uniqueName } from "./names.ts";
import { assertSpec, createParams, labelsOf, type MachineSpec } from "./machine-spec.ts";
import { secondsUntil, setExpiry, setIdleTimers } from "./timers.ts";
import { wake } from "./wake.ts";

/** What identifies a machine before it exists. */
export interface Handle {
  name: string;
  labels: Labels;
}

/** A machine that one owner makes and one owner removes. */
export interface OwnedSpec extends MachineSpec {
  /** `<prefix>-<48 random bits>` becomes the name. Give this or `name` */
  namePrefix?: string;
  /** a name of the caller's own choice; it must not exist, and nobody else may make it at the same time */
  name?: string;
  /** told the handle before boxd is called: record it where a crash cannot take it away */
  onHandle?: (handle: Handle) => void | Promise<void>;
  /** what must also succeed for the machine to be worth keeping; it runs once the machine answers, within the same budget */
  prepare?: (machine: Machine, budget: Deadline) => Promise<void>;
}

export interface OwnedMachine extends Handle {
  id: string;
  /** as read when it had become ready */
  machine: Machine;
  /** true when boxd's record shows the labels */
  labelsStored: boolean;
  /** latest moment at which boxd deletes it by itself, when an expiry was asked for */
  expiresAt: Date | undefined;
}

/** Times that the name of a create call with unknown outcome must be absent, once the call itself is over. */
const ABSENCES_NEEDED = 3;

/**
 * Makes a machine that is running, answers, carries its timers and is prepared; or leaves nothing behind. When any step fails, times out or is aborted
 * after the create call was sent, the machine is looked up by its name and deleted, in a time of its own (`cleanupMs`), and the original error is
 * thrown. When that cannot be confirmed, a `CleanupUnconfirmedError` names the machine instead; its `trigger` is the original error.
 */
export async function createOwned(context: DriverContext, spec: OwnedSpec, budget: Deadline): Promise<OwnedMachine> {
  const handle = await chooseHandle(context, spec, budget);
  await spec.onHandle?.(handle);
  budget.check(`create machine ${handle.name}`);
  const sent = new SentCreate(context, handle.name, spec);
  let machine: Machine | undefined;
  try {
    machine = await call(context, budget, `create machine ${handle.name}`, () => sent.send());
    const expiresAt = await applyTimers(context, machine.id, spec, budget);
    const ready = await wake(context, machine.id, budget);
    await spec.prepare?.(ready, budget);
    budget.check(`prepare machine ${handle.name}`);
    return {
      ...handle,
      id: machine.id,
      machine: ready,
      labelsStored: compareLabels(ready, handle.labels) === "match",
      expiresAt,
    };
  } catch (error) {
    if (machine === undefined && isRefusal(error, spec)) throw error;
    throw await leaveNothing(context, handle, machine?.id, sent, error);
  }
}

/** Sends the create call with labels, and once more without them when this boxd does not take any (see `labels.ts`). */
export async function sendCreate(context: DriverContext, name: string, spec: MachineSpec): Promise<Machine> {
  const params = createParams(name, context.org, spec);
  try {
    return await context.client.machines.create(params);
  } catch (error) {
    if (!isErrorKind(error, "invalid") || !/label/i.test(textOf(error))) throw error;
    const { labels: _, ...rest } = params;
    return await context.client.machines.create(rest);
  }
}

/** The delete timer first: from then on boxd itself removes what everybody forgets. */
export async function applyTimers(
  context: DriverContext,
  id: string,
  spec: MachineSpec,
  budget: Deadline,
): Promise<Date | undefined> {
  const expiresAt = spec.expiry === undefined ? undefined : await setExpiry(context, id, spec.expiry, budget);
  if (spec.idle !== null)
    await setIdleTimers(context, id, spec.idle ?? { suspendSeconds: 0, hibernateSeconds: 0 }, budget);
  return expiresAt;
}

async function chooseHandle(context: DriverContext, spec: OwnedSpec, budget: Deadline): Promise<Handle> {
  assertSpec(spec);
  if (spec.expiry !== undefined) secondsUntil(context, spec.expiry);
  const labels = labelsOf(spec);
  if (spec.name === undefined) return { name: uniqueName(spec.namePrefix ?? "qm-deploy"), labels };
  assertMachineName(spec.name);
  // Afterwards a machine of this name can only be the one that we are about to make.
  if ((await findByName(context, spec.name, budget)) !== undefined) {
    throw new BoxdDriverError(
      { kind: "conflict", conflict: "name-taken" },
      `a machine named ${spec.name} exists already`,
    );
  }
  return { name: spec.name, labels };
}

/** A create call, and whether it is still open: an open one may yet make a machine. */
class SentCreate {
  readonly #context: DriverContext;
  readonly #name: string;
  readonly #spec: MachineSpec;
  #answer: Promise<Machine> | undefined;
  open = false;

  constructor(context: DriverContext, name: string, spec: MachineSpec) {
    this.#context = context;
    this.#name = name;
    this.#spec = spec;
  }

  send(): Promise<Machine> {
    this.open = true;
    this.#answer = sendCreate(this.#context, this.#name, this.#spec).finally(() => {
      this.open = false;
    });
    return this.#answer;
  }

  /** Deletes what an answer still brings after everybody has stopped waiting for it. */
  removeLateAnswer(): void {
    if (!this.open) return;
    const { times, clock } = this.#context;
    void this.#answer
      ?.then((machine) => deleteConfirmed(this.#context, machine.id, new Deadline(clock, times.cleanupMs)))
      .catch(() => undefined);
  }
}

/**
 * Refusals that prove that this call made nothing. A taken name is one only for a name of the caller's own: a random one can only be taken by an
 * earlier try that the SDK itself repeated.
 */
function isRefusal(error: unknown, spec: OwnedSpec): boolean {
  const { kind, conflict } = classifyError(error);
  return kind === "auth" || kind === "invalid" || (conflict === "name-taken" && spec.name !== undefined);
}

/** Removes the machine of a failed create and returns the error to throw. */
async function leaveNothing(
  context: DriverContext,
  handle: Handle,
  id: string | undefined,
  sent: SentCreate,
  trigger: unknown,
): Promise<unknown> {
  const budget = new Deadline(context.clock, context.times.cleanupMs);
  let found = id;
  try {
    found ??= await findCreated(context, handle, sent, budget);
    if (found !== undefined) await deleteConfirmed(context, found, budget, handle);
    return trigger;
  } catch (error) {
    sent.removeLateAnswer();
    const left = {
      handle: handle.name,
      name: handle.name,
      labels: handle.labels,
      ...(found === undefined ? {} : { id: found }),
    };
    const message = `machine ${handle.name} may still exist after a failed create (${textOf(trigger)}): ${textOf(error)}`;
    return new CleanupUnconfirmedError(left, message, { trigger, cause: error });
  }
}

/** The id of the machine that the call made, or undefined once it is sure that it made none. */
async function findCreated(
  context: DriverContext,
  handle: Handle,
  sent: SentCreate,
  budget: Deadline,
): Promise<string | undefined> {
  for (let absences = 0; absences < ABSENCES_NEEDED;) {
    const found = await findByName(context, handle.name, budget);
    if (found !== undefined) {
      if (compareLabels(found, handle.labels) !== "contradict") return found.id;
      throw new BoxdDriverError(
        { kind: "conflict", conflict: "name-taken" },
        `machine ${found.id} has this name but other labels, so it is left alone`,
      );
    }
    if (!sent.open) absences += 1;
    await budget.sleep(context.times.pollMs, `machine ${handle.name}: the create call has not ended`);
  }
  return undefined;
}
