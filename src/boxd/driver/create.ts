import { withoutUndefined } from "../../base/without-undefined.ts";
import { call, inOwnTime, mayPass, type Operation } from "./call.ts";
import type { Machine, MachineCreateParams } from "./client.ts";
import type { Deadline } from "./deadline.ts";
import { deleteSettled } from "./delete.ts";
import { BoxdDriverError, classifyError, CleanupUnconfirmedError, errorText, isErrorKind } from "./errors.ts";
import { compareLabels, MANAGED_BY_LABEL, type Labels } from "./labels.ts";
import { findByName } from "./lookup.ts";
import { assertSpec, createParams, labelsOf, type MachineSpec } from "./machine-spec.ts";
import { assertMachineName, uniqueName } from "./names.ts";
import { ensureRunning } from "./power-state.ts";
import { setExpiry, setIdleTimers } from "./machine-settings.ts";

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
  /** what must also succeed for the machine to be worth keeping; it runs once the machine answers, until the same deadline */
  prepare?: (machine: Machine, deadline: Deadline) => Promise<void>;
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

/** The one machine of a name. */
export interface FoundOrCreated {
  machine: Machine;
  /** false when it existed already, whoever made it */
  created: boolean;
}

/** Create calls whose outcome was unknown, and that left no machine to be seen, are repeated this often. */
const CREATE_TRIES = 3;
/** Times that the name of a create call with unknown outcome must be absent, once the call itself is over. */
const ABSENCES_NEEDED = 3;

/**
 * Makes a machine that is running, answers, carries its timers and is prepared; or leaves nothing behind. The create call is sent once. When any
 * step fails, times out or is aborted after that, the machine is looked up by its name and deleted, in a time of its own (`cleanupMs`), and the
 * original error is thrown. When that cannot be confirmed, a `CleanupUnconfirmedError` names the machine instead; its `trigger` is the
 * original error.
 */
export async function createOwned(operation: Operation, spec: OwnedSpec): Promise<OwnedMachine> {
  const { deadline } = operation;
  const handle = await chooseHandle(operation, spec);
  await spec.onHandle?.(handle);
  deadline.check(`create machine ${handle.name}`);
  const sent = new SentCreate(operation, handle.name, spec);
  let machine: Machine | undefined;
  try {
    machine = await call(operation, `create machine ${handle.name}`, () => sent.answer);
    const expiresAt = await applyTimers(operation, machine.id, spec);
    const ready = assertIsolation(await ensureRunning(operation, machine.id), spec);
    await spec.prepare?.(ready, deadline);
    deadline.check(`prepare machine ${handle.name}`);
    const labelsStored = compareLabels(ready, handle.labels) === "match";
    return { ...handle, id: machine.id, machine: ready, labelsStored, expiresAt };
  } catch (error) {
    if (machine === undefined && isRefusal(error, spec)) throw error;
    throw await leaveNothing(operation, handle, machine?.id, sent, error);
  }
}

/**
 * The live machine of this name, running and answering: adopted when it exists, made otherwise. Losing a race for the name adopts the winner. The
 * name is the owner's handle, so nothing is deleted when a later step fails; the next call goes on from there. Timers are set (again) in every
 * case. A machine whose labels contradict is somebody else's and an error. Calls for the same name must not overlap within a process (the
 * driver queues them).
 */
export async function getOrCreate(operation: Operation, name: string, spec: MachineSpec): Promise<FoundOrCreated> {
  assertMachineName(name);
  assertSpec(spec, operation.clock);
  for (let tries = 1; ;) {
    const found = await findByName(operation, name);
    try {
      if (found !== undefined && compareLabels(found, vetoLabels(found, spec)) === "contradict")
        throw nameTaken(`machine ${name} (id ${found.id}) exists with other labels, so it is not adopted`);
      const send = (): Promise<Machine> => sendCreate(operation, name, spec);
      const { id } = found ?? (await call(operation, `create machine ${name}`, send));
      // The timers also of an adopted machine: whoever made it may have failed before setting them.
      await applyTimers(operation, id, spec);
      const machine = assertIsolation(await ensureRunning(operation, id), spec);
      return { machine, created: found === undefined };
    } catch (error) {
      // One that was found and is not there is being deleted; its name becomes free, and waiting for that is no try.
      const leaving = found !== undefined && isErrorKind(error, "not-found");
      if (!leaving) {
        if (found !== undefined || !mayHaveBeenMade(error) || tries >= CREATE_TRIES) throw error;
        tries += 1;
      }
    }
    await operation.deadline.sleep(operation.times.pollMs, `look for machine ${name}`);
  }
}

/** The answer to a create call does not prove isolation, nor does a record without the field: only one that says so. */
function assertIsolation(machine: Machine, { isolated }: MachineSpec): Machine {
  if (isolated !== true || machine.networking?.isolated === true) return machine;
  const { name, id } = machine;
  throw new BoxdDriverError(
    "insecure",
    `machine ${name} (id ${id}) is not isolated, as was asked; that cannot be changed`,
  );
}

/** What speaks against adopting a machine: that somebody else manages it, or that a label of ours says otherwise. One that it lacks says nothing. */
function vetoLabels({ labels }: Machine, spec: MachineSpec): Labels {
  const known = Object.entries(labelsOf(spec)).filter(
    ([key]) => key === MANAGED_BY_LABEL || Object.hasOwn(labels ?? {}, key),
  );
  return Object.fromEntries(known);
}

/**
 * Sends the create call with labels and the backstop of the delete timer, and again without that of them which this boxd refuses. A refusal made nothing,
 * so this is still one machine.
 */
async function sendCreate(operation: Operation, name: string, spec: MachineSpec): Promise<Machine> {
  let params = createParams(operation, name, spec);
  for (;;) {
    try {
      return await operation.client.machines.create(params);
    } catch (error) {
      const fewer = isErrorKind(error, "invalid") ? withoutRefused(params, errorText(error)) : undefined;
      if (fewer === undefined) throw error;
      params = fewer;
    }
  }
}

/** The arguments without what a refusal is about; undefined where that is nothing which a machine can do without. */
function withoutRefused(params: MachineCreateParams, refusal: string): MachineCreateParams | undefined {
  const { labels, config, ...rest } = params;
  if (labels !== undefined && /label/i.test(refusal)) return withoutUndefined({ ...rest, config });
  // From a snapshot a configuration may be refused as such.
  if (config?.autoDestroyTimeout === undefined || !/destroy|timeout|config/i.test(refusal)) return undefined;
  const { autoDestroyTimeout: _, ...size } = config;
  return withoutUndefined({ ...rest, labels, config: Object.keys(size).length === 0 ? undefined : size });
}

/** The delete timer first: from then on boxd itself removes what everybody forgets. */
async function applyTimers(operation: Operation, id: string, spec: MachineSpec): Promise<Date | undefined> {
  const { expiry, idle = { suspendSeconds: 0, hibernateSeconds: 0 } } = spec;
  const expiresAt = expiry === undefined ? undefined : await setExpiry(operation, id, expiry);
  if (idle !== null) await setIdleTimers(operation, id, idle);
  return expiresAt;
}

async function chooseHandle(operation: Operation, spec: OwnedSpec): Promise<Handle> {
  assertSpec(spec, operation.clock);
  const labels = labelsOf(spec);
  if (spec.name === undefined) return { name: uniqueName(spec.namePrefix ?? "qm-deploy"), labels };
  assertMachineName(spec.name);
  // Afterwards a machine of this name can only be the one that we are about to make.
  const other = await findByName(operation, spec.name);
  if (other !== undefined) throw nameTaken(`a machine named ${spec.name} exists already`);
  return { name: spec.name, labels };
}

/** A create call that was sent, and whether it is still open: an open one may yet make a machine. */
class SentCreate {
  readonly answer: Promise<Machine>;
  open = true;
  /** id of the machine that it answered */
  made: string | undefined;

  constructor(operation: Operation, name: string, spec: MachineSpec) {
    this.answer = sendCreate(operation, name, spec)
      .then((machine) => {
        this.made = machine.id;
        return machine;
      })
      .finally(() => {
        this.open = false;
      });
    // Whoever waits for it sees the error; nobody may be waiting any more.
    this.answer.catch(() => undefined);
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

/**
 * Removes the machine of a failed create and returns the error to throw. An SDK that repeats calls by itself can make the machine anew once it is
 * deleted: what the answer brings meanwhile is deleted next, in the same time once more, and what it brings later is deleted when it comes.
 */
async function leaveNothing(
  operation: Operation,
  handle: Handle,
  id: string | undefined,
  sent: SentCreate,
  trigger: unknown,
): Promise<unknown> {
  const { name, labels } = handle;
  const { cleanupMs } = operation.times;
  const cleanup = inOwnTime(operation, cleanupMs);
  let found = id;
  try {
    found ??= await findCreated(cleanup, handle, sent);
    if (found !== undefined) await deleteSettled(cleanup, found, handle);
    if (sent.made !== undefined && sent.made !== found) {
      found = sent.made;
      await deleteSettled(inOwnTime(operation, cleanupMs), found, handle);
    }
    return trigger;
  } catch (error) {
    const left = withoutUndefined({ handle: name, name, labels, id: found });
    const message = `machine ${name} may still exist after a failed create (${errorText(trigger)}): ${errorText(error)}`;
    return new CleanupUnconfirmedError(left, message, { trigger, cause: error });
  } finally {
    if (sent.open)
      void sent.answer.then((late) => deleteSettled(inOwnTime(operation, cleanupMs), late.id)).catch(() => undefined);
  }
}

/** The id of the machine that the call made, or undefined once it is sure that it made none. */
async function findCreated(operation: Operation, handle: Handle, sent: SentCreate): Promise<string | undefined> {
  const { clock, deadline, times } = operation;
  let endedAt: number | undefined;
  for (let absences = 0; ;) {
    if (sent.made !== undefined) return sent.made;
    const began = clock.now();
    const found = await findByName(operation, handle.name);
    if (found !== undefined) {
      if (compareLabels(found, handle.labels) !== "contradict") return found.id;
      throw nameTaken(`machine ${found.id} has this name but other labels, so it is left alone`);
    }
    if (!sent.open) {
      endedAt ??= began;
      absences += 1;
      // What the call made may not be listed before so long.
      if (absences >= ABSENCES_NEEDED && began - endedAt >= times.listingLagMs) return undefined;
    }
    await deadline.sleep(times.pollMs, `machine ${handle.name}: the create call has not ended`);
  }
}

function nameTaken(message: string): BoxdDriverError {
  return new BoxdDriverError({ kind: "conflict", conflict: "name-taken" }, message);
}

/** By this call, by one that the SDK repeated, or by somebody who was faster: the next look at the name tells. */
function mayHaveBeenMade(error: unknown): boolean {
  return classifyError(error).conflict === "name-taken" || isErrorKind(error, "not-found") || mayPass(error);
}
