import { compareText } from "../../base/text-order.ts";
import { retryCall, type Operation } from "./call.ts";
import type { Machine } from "./client.ts";
import { BoxdDriverError, isErrorKind } from "./errors.ts";
import { compareLabels, type Labels } from "./labels.ts";
import { machineRecord, machineRecords, machineState } from "./machine-record.ts";

/** Which machines of the org: by the prefix of their name, by labels, or both. */
export interface MachineFilter {
  /** matches `<prefix>-…`, not other names that merely begin alike */
  namePrefix?: string;
  labels?: Labels;
}

/** The machine, or undefined when boxd says that there is none (not found, or a `destroyed` record). */
export async function readMachine(operation: Operation, id: string): Promise<Machine | undefined> {
  try {
    const read = async (): Promise<Machine> => machineRecord(await operation.client.machines.get(id));
    const machine = await retryCall(operation, `read machine ${id}`, read);
    return machineState(machine) === "destroyed" ? undefined : machine;
  } catch (error) {
    if (isErrorKind(error, "not-found")) return undefined;
    throw error;
  }
}

/** The machine, or an error of kind `not-found` that names it. */
export async function requireMachine(operation: Operation, id: string): Promise<Machine> {
  const machine = await readMachine(operation, id);
  if (machine === undefined) throw new BoxdDriverError("not-found", `machine ${id} does not exist`);
  return machine;
}

/** Every machine of the org that is not destroyed. */
export async function listMachines(operation: Operation): Promise<Machine[]> {
  const { client, org } = operation;
  const machines = await retryCall(operation, "list machines", async () =>
    machineRecords(await client.machines.list(org === undefined ? {} : { org })),
  );
  return machines.filter((machine) => machineState(machine) !== "destroyed");
}

/**
 * The live machines of the org that the filter fits, in the order of their names. A machine whose record shows no labels passes the label
 * test: labels can only veto (see `labels.ts`), so name a prefix too where it matters.
 */
export async function listMatching(operation: Operation, { namePrefix, labels }: MachineFilter): Promise<Machine[]> {
  const machines = await listMachines(operation);
  return machines
    .filter((machine) => namePrefix === undefined || machine.name.startsWith(`${namePrefix}-`))
    .filter((machine) => labels === undefined || compareLabels(machine, labels) !== "contradict")
    .sort((a, b) => compareText(a.name, b.name));
}

/**
 * The machine of this name. By listing, because names resolve in `get` only for the key's default org; then by `get`, because a listing may
 * lag behind.
 */
export async function findByName(operation: Operation, name: string): Promise<Machine | undefined> {
  const listed = await machineNamed(operation, await listMachines(operation), name);
  if (listed !== undefined) return listed;
  const machine = await readMachine(operation, name);
  return machine?.name === name ? machine : undefined;
}

/** The machine of this name among rows of a listing. A row that may be of another org, which has names of its own, counts only if `get` knows it. */
export async function machineNamed(operation: Operation, listed: readonly Machine[], name: string) {
  const { org } = operation;
  const rows = listed.filter((machine) => machine.name === name);
  for (const row of rows) {
    // Whether `org.name` is the slug or a name for people is not documented, so a difference is a doubt and no proof.
    const isOurs = org === undefined || !row.org || row.org.name === org || row.org.id === org;
    if (rows.length === 1 && isOurs) return row;
    const machine = await readMachine(operation, row.id);
    if (machine !== undefined) return machine;
  }
  return undefined;
}
