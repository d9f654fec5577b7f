import type { Deadline } from "./deadline.ts";
import type { Machine } from "./client.ts";
import type { DriverContext } from "./call.ts";
import { BoxdDriverError } from "./errors.ts";
import { reading } from "./lookup.ts";
import type { MachineState } from "./state.ts";
import { drive, request, type Step } from "./transition.ts";

/** Asking explicitly: whether `exec` wakes a parked machine is disputed, and nothing else does. */
const STEPS: Readonly<Record<MachineState, Step>> = {
  pending: "wait",
  starting: "wait",
  stopping: "wait",
  unknown: "wait",
  destroyed: "wait",
  running: "done",
  suspended: "resume",
  hibernated: "wake",
  stopped: "start",
  failed: "start",
};

/** A record may lag behind the start that was just asked for, so so many readings of `failed` are needed to believe it. */
const FAILED_READS = 4;

/**
 * Brings a machine to `running`, from wherever it is, and makes sure that the guest answers when it was not running before. A machine
 * that stays `failed` after a start is an error; one that does not exist is `not-found`.
 */
export async function wake(context: DriverContext, id: string, budget: Deadline): Promise<Machine> {
  let failures = 0;
  const next = (state: MachineState): Step => {
    failures = state === "failed" ? failures + 1 : 0;
    if (failures > FAILED_READS) {
      throw new BoxdDriverError({ kind: "conflict", conflict: "wrong-state" }, `machine ${id} failed to start`);
    }
    return STEPS[state];
  };
  const { machine, moved } = await drive(context, id, "running", next, budget);
  if (moved) await probe(context, id, budget);
  return machine;
}

/** A machine that says it is stopped, whatever its record says, is started and waited for. */
export async function startAgain(context: DriverContext, id: string, budget: Deadline): Promise<void> {
  await request(context, id, "start", budget);
  await wake(context, id, budget);
}

/** Runs `true` in the machine until it answers: a machine is `running` before its agent is. */
export async function probe(context: DriverContext, id: string, budget: Deadline): Promise<void> {
  await reading(context, budget, `machine ${id} does not answer yet`, async () => {
    const timeout = Math.max(1, Math.ceil(budget.cap(context.times.callMs)));
    const result = await context.client.machines.exec(id, { command: "true", timeout });
    if (result.exitCode !== 0)
      throw new BoxdDriverError({ kind: "transient" }, `the probe ended with status ${result.exitCode}`);
  });
}
