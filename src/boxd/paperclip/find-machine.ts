import type { Deadline, Machine, MachineDriver } from "../driver/index.ts";
import { assertOurs } from "./labels.ts";

/** Between two looks at a machine of which boxd says now that it is there, now that it is not. */
const PAUSE_MS = 500;

/**
 * What `look` finds, or undefined when `idOrName` is gone beyond one stale reading, by id and in the listing. Who is to judge a machine by its labels must not take
 * an absence on one reading: whatever deletes or stops it afterwards would find it, and judge nothing.
 */
export async function findUnlessGone(
  driver: MachineDriver,
  idOrName: string,
  deadline: Deadline,
  look: () => Promise<Machine | undefined>,
): Promise<Machine | undefined> {
  for (;;) {
    const machine = await look();
    if (machine !== undefined) return machine;
    // Once more at the end: of a name only the listing is sure to know, and two of them in a row may be stale.
    if (await driver.isGone(idOrName, deadline)) return look();
    await deadline.sleep(PAUSE_MS, `machine ${idOrName} is there and is not`);
  }
}

/** What bears this id. */
export function findByIdUnlessGone(
  driver: MachineDriver,
  id: string,
  deadline: Deadline,
): Promise<Machine | undefined> {
  return findUnlessGone(driver, id, deadline, async () => {
    const seen = await driver.inspect(id, deadline);
    return seen.state === "absent" ? undefined : seen.machine;
  });
}

/** Throws when the machine is another environment's; one that is gone is nobody's. */
export async function assertOursOrGone(
  driver: MachineDriver,
  id: string,
  environmentId: string,
  deadline: Deadline,
): Promise<void> {
  const machine = await findByIdUnlessGone(driver, id, deadline);
  if (machine !== undefined) assertOurs(machine, environmentId);
}
