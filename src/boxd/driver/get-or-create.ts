import type { Deadline } from "./deadline.ts";
import type { Machine } from "./client.ts";
import { call, type DriverContext } from "./call.ts";
import { applyTimers, sendCreate } from "./create.ts";
import { BoxdDriverError, classifyError, isErrorKind } from "./errors.ts";
import { compareLabels } from "./labels.ts";
import { findByName } from "./lookup.ts";
import { assertMachineName } from "./names.ts";
import { assertSpec, labelsOf, type MachineSpec } from "./machine-spec.ts";
import { secondsUntil } from "./timers.ts";
import { wake } from "./wake.ts";

/** The one machine of a name. */
export interface FoundOrCreated {
  machine: Machine;
  /** false when it existed already, whoever made it */
  created: boolean;
}

/** Create calls whose outcome was unknown, and that left no machine to be seen, are repeated this often. */
const TRIES = 3;

/**
 * The live machine of this name, running and answering: adopted when it exists, made otherwise. Losing a race for the name adopts the winner. The name
 * is the owner's handle, so nothing is deleted when a later step fails; the next call goes on from there. Timers are set (again) in every case. A machine whose labels contradict is
 * somebody else's and an error. Calls for the same name must not overlap within a process (the driver queues them).
 */
export async function ensure(
  context: DriverContext,
  name: string,
  spec: MachineSpec,
  budget: Deadline,
): Promise<FoundOrCreated> {
  assertMachineName(name);
  assertSpec(spec);
  if (spec.expiry !== undefined) secondsUntil(context, spec.expiry);
  for (let tries = 1; ;) {
    const found = await findByName(context, name, budget);
    try {
      if (found !== undefined) return { machine: await adopt(context, found, spec, budget), created: false };
      const made = await call(context, budget, `create machine ${name}`, () => sendCreate(context, name, spec));
      return { machine: await makeReady(context, made.id, spec, budget), created: true };
    } catch (error) {
      // One that was found and is not there is being deleted; its name becomes free, and waiting for that is no try.
      const leaving = found !== undefined && isErrorKind(error, "not-found");
      if (!leaving) {
        if (found !== undefined || !mayHaveBeenMade(error) || tries >= TRIES) throw error;
        tries += 1;
      }
    }
    await budget.sleep(context.times.pollMs, `look for machine ${name}`);
  }
}

async function adopt(context: DriverContext, found: Machine, spec: MachineSpec, budget: Deadline): Promise<Machine> {
  if (compareLabels(found, labelsOf(spec)) === "contradict") {
    throw new BoxdDriverError(
      { kind: "conflict", conflict: "name-taken" },
      `machine ${found.name} (id ${found.id}) exists with other labels, so it is not adopted`,
    );
  }
  return makeReady(context, found.id, spec, budget);
}

/** The timers also of an adopted machine: whoever made it may have failed before setting them. */
async function makeReady(context: DriverContext, id: string, spec: MachineSpec, budget: Deadline): Promise<Machine> {
  await applyTimers(context, id, spec, budget);
  return wake(context, id, budget);
}

/** By this call, by one that the SDK repeated, or by somebody who was faster: the next look at the name tells. */
function mayHaveBeenMade(error: unknown): boolean {
  const { kind, conflict } = classifyError(error);
  return (
    conflict === "name-taken" || kind === "transient" || kind === "quota" || kind === "unknown" || kind === "not-found"
  );
}
