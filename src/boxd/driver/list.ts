import type { Deadline } from "./deadline.ts";
import type { Machine } from "./client.ts";
import type { DriverContext } from "./call.ts";
import { compareLabels, type Labels } from "./labels.ts";
import { listMachines } from "./lookup.ts";

/** Which machines of the org: by the prefix of their name, by labels, or both. */
export interface MachineFilter {
  /** matches `<prefix>-…`, not other names that merely begin alike */
  namePrefix?: string;
  labels?: Labels;
}

/**
 * The live machines of the org that the filter fits, in the order of their names. A machine whose record shows no labels passes the label test: labels can
 * only veto (see `labels.ts`), so name a prefix too where it matters.
 */
export async function listMatching(
  context: DriverContext,
  filter: MachineFilter,
  budget: Deadline,
): Promise<Machine[]> {
  const machines = await listMachines(context, budget);
  return machines
    .filter((machine) => filter.namePrefix === undefined || machine.name.startsWith(`${filter.namePrefix}-`))
    .filter((machine) => filter.labels === undefined || compareLabels(machine, filter.labels) !== "contradict")
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
