/** Changes of a machine's state. Each ends with a record that shows the new state, never with an acknowledgement. */
import { call, callControlPlane, mayPass, retryCall, type Operation } from "./call.ts";
import type { Machine } from "./client.ts";
import { BoxdDriverError, isErrorKind } from "./errors.ts";
import { requireMachine } from "./lookup.ts";
import { machineState, type MachineState } from "./machine-record.ts";

/** The calls that change a machine's state. */
type Verb = "start" | "stop" | "pause" | "resume" | "wake";

/** The way to a state: the step to take from each; from one that is not named there is only waiting. */
interface Way {
  readonly goal: MachineState;
  readonly steps: { readonly [state in MachineState]?: "done" | "refuse" | Verb };
  /** what else is to happen in a state, before its step */
  readonly before?: (state: MachineState) => Promise<void> | void;
}

/** A request that was acknowledged but has not changed the state is repeated after so many reads. */
const READS_PER_REQUEST = 10;
/** A record may lag behind the start that was just asked for, so so many readings of `failed` are needed to believe it. */
const FAILED_READS = 4;
/** Writing out the page cache, which a power-off would lose. */
const SYNC_MS = 10_000;

/**
 * Brings a machine to `running` from whatever state, and makes sure that the guest answers when it was not running before. Starting is asked
 * for explicitly: whether `exec` wakes a sleeping machine is disputed, and nothing else does. A machine that stays `failed` after a start is an
 * error; one that does not exist is `not-found`.
 */
export async function ensureRunning(operation: Operation, id: string): Promise<Machine> {
  let failures = 0;
  const { machine, moved } = await bringTo(operation, id, {
    goal: "running",
    steps: { running: "done", suspended: "resume", hibernated: "wake", stopped: "start", failed: "start" },
    before(state) {
      failures = state === "failed" ? failures + 1 : 0;
      if (failures > FAILED_READS) throw wrongState(`machine ${id} failed to start`);
    },
  });
  if (moved) await probe(operation, id);
  return machine;
}

/** A machine that says it is stopped, whatever its record says, is started and waited for. */
export async function startAgain(operation: Operation, id: string): Promise<void> {
  await request(operation, id, "start");
  await ensureRunning(operation, id);
}

/**
 * Suspends a machine to memory and confirms it; its processes are kept. One that is hibernated or stopped stays as it is: the returned record
 * says which.
 */
export async function suspend(operation: Operation, id: string): Promise<Machine> {
  const { machine } = await bringTo(operation, id, {
    goal: "suspended",
    steps: {
      suspended: "done",
      hibernated: "done",
      stopped: "done",
      running: "pause",
      failed: "refuse",
      stopping: "refuse",
    },
  });
  return machine;
}

/** boxd reports the machine as stopped; its disk is kept, its processes are gone. */
export interface StoppedReceipt {
  id: string;
  state: "stopped";
}

/**
 * Stops a machine and proves it. A suspended or hibernated machine is started first, because only a running one can be stopped. Never deletes.
 * The receipt is given only after a record that says `stopped`; a missing or failed machine is an error, for nothing was stopped.
 */
export async function stopConfirmed(operation: Operation, id: string): Promise<StoppedReceipt> {
  let synced = false;
  await bringTo(operation, id, {
    goal: "stopped",
    steps: { stopped: "done", suspended: "resume", hibernated: "wake", running: "stop", failed: "refuse" },
    async before(state) {
      if (state !== "running" || synced) return;
      await syncDisk(operation, id);
      synced = true;
    },
  });
  return { id, state: "stopped" };
}

/** Runs `true` in the machine until it answers: a machine is `running` before its agent is. */
export async function probe(operation: Operation, id: string): Promise<void> {
  const { client, deadline, times } = operation;
  await retryCall(operation, `machine ${id} does not answer yet`, async () => {
    const timeout = Math.max(1, Math.ceil(deadline.cap(times.callMs)));
    const { exitCode } = await client.machines.exec(id, { command: "true", timeout });
    if (exitCode !== 0) throw new BoxdDriverError("transient", `the probe ended with status ${exitCode}`);
  });
}

/** Reads the state and asks for the next step until a fresh record shows the goal. `moved` tells whether any step was needed. */
async function bringTo(operation: Operation, id: string, { goal, steps, before }: Way) {
  let asked: Verb | undefined;
  let readsSince = 0;
  for (let moved = false; ; moved = true) {
    const machine = await requireMachine(operation, id);
    const state = machineState(machine);
    await before?.(state);
    const step = steps[state] ?? "wait";
    if (step === "done") return { machine, moved };
    if (step === "refuse") throw wrongState(`machine ${id} is ${machine.status}, so it cannot become ${goal}`);
    if (step !== "wait" && (step !== asked || readsSince >= READS_PER_REQUEST)) {
      const arrived = await request(operation, id, step);
      asked = arrived ? step : undefined;
      readsSince = 0;
      // Most steps have taken effect by the time they answer, so look before sleeping.
      if (arrived) continue;
    }
    readsSince += 1;
    await operation.deadline.sleep(operation.times.pollMs, `machine ${id} is ${machine.status}, waiting for ${goal}`);
  }
}

/**
 * Asks for a change of state. False when the request may not have arrived, so that it is made again. A conflict counts as arrived: the state has
 * changed meanwhile, and reading it again tells the rest.
 */
async function request(operation: Operation, id: string, verb: Verb): Promise<boolean> {
  try {
    await callControlPlane(operation, `${verb} machine ${id}`, () => operation.client.machines[verb](id));
    return true;
  } catch (error) {
    if (isErrorKind(error, "conflict")) return true;
    if (mayPass(error)) return false;
    throw error;
  }
}

/** Best effort: a guest that hangs must not keep its machine from being stopped. */
async function syncDisk(operation: Operation, id: string): Promise<void> {
  const { client, deadline } = operation;
  // At most a third of what is left, so that a silent guest leaves time for the stop itself.
  const timeout = Math.max(1, Math.ceil(Math.min(SYNC_MS, deadline.remaining() / 3)));
  const part = { ...operation, deadline: deadline.part(timeout, "sync") };
  try {
    await call(part, `sync machine ${id}`, () => client.machines.exec(id, { command: "sync", timeout }));
  } catch (error) {
    if (isErrorKind(error, "aborted")) throw error;
  }
}

function wrongState(message: string): BoxdDriverError {
  return new BoxdDriverError({ kind: "conflict", conflict: "wrong-state" }, message);
}
