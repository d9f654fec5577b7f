import { call, mayPass, type Operation } from "./call.ts";
import type { Machine } from "./client.ts";
import { applyTimers, nameTaken, sendCreate } from "./create.ts";
import { classifyError, isErrorKind } from "./errors.ts";
import { compareLabels } from "./labels.ts";
import { findByName } from "./lookup.ts";
import { assertSpec, labelsOf, type MachineSpec } from "./machine-spec.ts";
import { assertMachineName } from "./names.ts";
import { ensureRunning } from "./power-state.ts";

/** The one machine of a name. */
export interface FoundOrCreated {
  machine: Machine;
  /** false when it existed already, whoever made it */
  created: boolean;
}

/** Create calls whose outcome was unknown, and that left no machine to be seen, are repeated this often. */
const TRIES = 3;

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
      if (found !== undefined) return { machine: await adopt(operation, found, spec), created: false };
      const made = await call(operation, `create machine ${name}`, () => sendCreate(operation, name, spec));
      return { machine: await makeReady(operation, made.id, spec), created: true };
    } catch (error) {
      // One that was found and is not there is being deleted; its name becomes free, and waiting for that is no try.
      const leaving = found !== undefined && isErrorKind(error, "not-found");
      if (!leaving) {
        if (found !== undefined || !mayHaveBeenMade(error) || tries >= TRIES) throw error;
        tries += 1;
      }
    }
    await operation.deadline.sleep(operation.times.pollMs, `look for machine ${name}`);
  }
}

async function adopt(operation: Operation, found: Machine, spec: MachineSpec): Promise<Machine> {
  if (compareLabels(found, labelsOf(spec)) === "contradict")
    throw nameTaken(`machine ${found.name} (id ${found.id}) exists with other labels, so it is not adopted`);
  return makeReady(operation, found.id, spec);
}

/** The timers also of an adopted machine: whoever made it may have failed before setting them. */
async function makeReady(operation: Operation, id: string, spec: MachineSpec): Promise<Machine> {
  await applyTimers(operation, id, spec);
  return ensureRunning(operation, id);
}

/** By this call, by one that the SDK repeated, or by somebody who was faster: the next look at the name tells. */
function mayHaveBeenMade(error: unknown): boolean {
  return classifyError(error).conflict === "name-taken" || isErrorKind(error, "not-found") || mayPass(error);
}
