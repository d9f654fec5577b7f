import type { Deadline } from "./deadline.ts";
import type { Machine } from "./client.ts";
import { control, type DriverContext } from "./call.ts";
import { classifyError } from "./errors.ts";
import { requireMachine } from "./lookup.ts";
import { machineState, type MachineState } from "./state.ts";

/** The calls that change a machine's state. */
export type Verb = "start" | "stop" | "pause" | "resume" | "wake";

/** What to do about a state on the way to a goal. */
export type Step = "done" | "wait" | Verb;

/** A request that was acknowledged but has not changed the state is repeated after so many reads. */
const READS_PER_REQUEST = 10;

/**
 * Leads a machine to a goal by reading its state and asking for the step that `next` names, until `next` says `done`. Only a fresh record ends it,
 * never an acknowledgement. `moved` tells whether any step was needed.
 */
export async function drive(
  context: DriverContext,
  id: string,
  goal: string,
  next: (state: MachineState, machine: Machine) => Step | Promise<Step>,
  budget: Deadline,
): Promise<{ machine: Machine; moved: boolean }> {
  let asked: Verb | undefined;
  let readsSince = 0;
  for (let moved = false; ; moved = true) {
    const machine = await requireMachine(context, id, budget);
    const step = await next(machineState(machine), machine);
    if (step === "done") return { machine, moved };
    if (step !== "wait" && (step !== asked || readsSince >= READS_PER_REQUEST)) {
      const arrived = await request(context, id, step, budget);
      asked = arrived ? step : undefined;
      readsSince = 0;
      // Most steps have taken effect by the time they answer, so look before sleeping.
      if (arrived) continue;
    }
    readsSince += 1;
    await budget.sleep(context.times.pollMs, `machine ${id} is ${machine.status}, waiting for ${goal}`);
  }
}

/**
 * Asks for a change of state. False when it may not have arrived, so that it is asked again. A conflict counts as arrived: the state has
 * moved meanwhile, and reading it again tells the rest.
 */
export async function request(context: DriverContext, id: string, verb: Verb, budget: Deadline): Promise<boolean> {
  try {
    await control(context, budget, `${verb} machine ${id}`, () => context.client.machines[verb](id));
    return true;
  } catch (error) {
    const { kind } = classifyError(error);
    if (kind === "conflict") return true;
    if (kind === "transient" || kind === "quota" || kind === "unknown") return false;
    throw error;
  }
}
