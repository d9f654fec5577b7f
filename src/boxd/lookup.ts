import type { Budget } from "./budget.ts";
import type { Machine } from "./client.ts";
import { control, type DriverContext } from "./context.ts";
import { BoxdDriverError, classifyError, isErrorKind } from "./errors.ts";
import { machineRecord, machineRecords } from "./record.ts";
import { machineState } from "./state.ts";

/** Errors after which reading again can help. Everything else is final for a read. */
function isPassing(error: unknown): boolean {
  const { kind } = classifyError(error);
  return kind === "transient" || kind === "quota" || kind === "unknown";
}

/** Runs a call that changes nothing until it answers: connection trouble is waited out for as long as the budget lasts. */
export async function reading<T>(context: DriverContext, budget: Budget, what: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await control(context, budget, what, work);
    } catch (error) {
      if (!isPassing(error) || budget.remaining() <= context.times.pollMs) throw error;
    }
    await budget.sleep(context.times.pollMs, what);
  }
}

/** The machine, or undefined when boxd says that there is none (not found, or a `destroyed` record). */
export async function readMachine(context: DriverContext, id: string, budget: Budget): Promise<Machine | undefined> {
  try {
    const machine = await reading(context, budget, `read machine ${id}`, async () => machineRecord(await context.client.machines.get(id)));
    return machineState(machine) === "destroyed" ? undefined : machine;
  } catch (error) {
    if (isErrorKind(error, "not-found")) return undefined;
    throw error;
  }
}

/** Every machine of the org that is not destroyed. */
export async function listMachines(context: DriverContext, budget: Budget): Promise<Machine[]> {
  const machines = await reading(context, budget, "list machines", async () =>
    machineRecords(await context.client.machines.list(context.org === undefined ? {} : { org: context.org })),
  );
  return machines.filter((machine) => machineState(machine) !== "destroyed");
}

/**
 * The machine of this name. By listing, because names resolve in `get` only for the key's default org; then by `get`, because a listing may
 * lag behind.
 */
export async function findByName(context: DriverContext, name: string, budget: Budget): Promise<Machine | undefined> {
  const listed = (await listMachines(context, budget)).find((machine) => machine.name === name);
  if (listed !== undefined) return listed;
  const machine = await readMachine(context, name, budget);
  return machine?.name === name ? machine : undefined;
}

/** The machine, or an error of kind `not-found` that names it. */
export async function requireMachine(context: DriverContext, id: string, budget: Budget): Promise<Machine> {
  const machine = await readMachine(context, id, budget);
  if (machine === undefined) throw new BoxdDriverError({ kind: "not-found" }, `machine ${id} does not exist`);
  return machine;
}
