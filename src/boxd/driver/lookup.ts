import type { Deadline } from "./deadline.ts";
import type { Machine } from "./client.ts";
import { control, type DriverContext } from "./call.ts";
import { BoxdDriverError, classifyError, isErrorKind } from "./errors.ts";
import { machineRecord, machineRecords } from "./machine-record.ts";
import { machineState } from "./state.ts";

/** Errors after which reading again can help. Everything else is final for a read. */
function isPassing(error: unknown): boolean {
  const { kind } = classifyError(error);
  return kind === "transient" || kind === "quota" || kind === "unknown";
}

/** Runs a call that changes nothing until it answers: connection trouble is waited out for as long as the budget lasts. */
export async function reading<T>(
  context: DriverContext,
  budget: Deadline,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
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
export async function readMachine(context: DriverContext, id: string, budget: Deadline): Promise<Machine | undefined> {
  try {
    const machine = await reading(context, budget, `read machine ${id}`, async () =>
      machineRecord(await context.client.machines.get(id)),
    );
    return machineState(machine) === "destroyed" ? undefined : machine;
  } catch (error) {
    if (isErrorKind(error, "not-found")) return undefined;
    throw error;
  }
}

/** Every machine of the org that is not destroyed. */
export async function listMachines(context: DriverContext, budget: Deadline): Promise<Machine[]> {
  const machines = await reading(context, budget, "list machines", async () =>
    machineRecords(await context.client.machines.list(context.org === undefined ? {} : { org: context.org })),
  );
  return machines.filter((machine) => machineState(machine) !== "destroyed");
}

/**
 * The machine of this name. By listing, because names resolve in `get` only for the key's default org; then by `get`, because a listing may
 * lag behind.
 */
export async function findByName(context: DriverContext, name: string, budget: Deadline): Promise<Machine | undefined> {
  const listed = await machineNamed(context, await listMachines(context, budget), name, budget);
  if (listed !== undefined) return listed;
  const machine = await readMachine(context, name, budget);
  return machine?.name === name ? machine : undefined;
}

/** The machine of this name among rows of a listing. A row that may be of another org, which has names of its own, counts only if `get` knows it. */
export async function machineNamed(
  context: DriverContext,
  listed: readonly Machine[],
  name: string,
  budget: Deadline,
): Promise<Machine | undefined> {
  const rows = listed.filter((machine) => machine.name === name);
  for (const row of rows) {
    if (rows.length === 1 && !saysOtherOrg(context, row)) return row;
    const machine = await readMachine(context, row.id, budget);
    if (machine !== undefined) return machine;
  }
  return undefined;
}

/** Whether `org.name` is the slug or a name for people is not documented, so a difference is a doubt and no proof. */
function saysOtherOrg({ org }: DriverContext, machine: Machine): boolean {
  return (
    org !== undefined &&
    machine.org !== undefined &&
    machine.org !== null &&
    machine.org.name !== org &&
    machine.org.id !== org
  );
}

/** The machine, or an error of kind `not-found` that names it. */
export async function requireMachine(context: DriverContext, id: string, budget: Deadline): Promise<Machine> {
  const machine = await readMachine(context, id, budget);
  if (machine === undefined) throw new BoxdDriverError({ kind: "not-found" }, `machine ${id} does not exist`);
  return machine;
}
