/** Whose a machine is. It rests on names and labels; labels can only veto, so a record without any proves nothing. */
import { createHash } from "node:crypto";
import { compareLabels, type Deadline, type Machine, type MachineDriver } from "../driver/index.ts";
import type { Connection } from "./config.ts";
import { refusal } from "./errors.ts";
import type { Connected } from "./provider.ts";

export interface Scope {
  companyId: string;
  environmentId: string;
  runId: string;
}

/** A lease that has a machine, connected. */
export interface ConnectedLease extends Connected {
  id: string;
  environmentId: string;
}

/** What the host's cleanup record takes as an id (docs/contract/paperclip.md#a-creation-that-failed); it drops a record with any other. */
export const HOST_ID = /^[a-zA-Z0-9_-]{1,200}$/;

/** Between two looks at a machine of which boxd says now that it is there, now that it is not. */
const PAUSE_MS = 500;

/** The three labels of every machine; their keys are those that the host's cleanup record takes. */
export function machineLabels({ environmentId, runId }: Omit<Scope, "companyId">): Record<string, string> {
  return { "paperclip-provider": "boxd", "paperclip-environment": environmentId, "paperclip-run": runId };
}

/** Throws unless a failed creation for this scope could be reported to the host. */
export function assertScope(scope: Scope): void {
  for (const name of ["companyId", "environmentId", "runId"] as const) {
    if (HOST_ID.test(scope[name])) continue;
    throw refusal(
      `\`${name}\` must be 1 to 200 letters, digits, hyphens or underscores, or a failed creation could not be reported`,
    );
  }
}

/** Throws when the machine's record says that it belongs to somebody else. */
export function assertOurs(machine: Machine, environmentId: string): void {
  const environment = environmentId === "" ? {} : { "paperclip-environment": environmentId };
  const expected = { "paperclip-provider": "boxd", ...environment };
  if (compareLabels(machine, expected) === "contradict")
    throw refusal(`machine ${machine.id} carries other labels than this environment's, so it is left alone`);
}

/** Throws when the machine is another environment's; one that is gone is nobody's. */
export async function assertOursOrGone({ driver, id, environmentId, deadline }: ConnectedLease): Promise<void> {
  const machine = await findByIdUnlessGone(driver, id, deadline);
  if (machine !== undefined) assertOurs(machine, environmentId);
}

/**
 * What `look` finds, or undefined when `idOrName` is gone beyond one stale reading, by id and in the listing. Whoever judges a machine by its
 * labels must not take an absence on one reading: what deletes or stops it afterwards would find it, unjudged.
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

export function findByIdUnlessGone(driver: MachineDriver, id: string, deadline: Deadline) {
  return findUnlessGone(driver, id, deadline, async () => {
    const seen = await driver.inspect(id, deadline);
    return seen.state === "absent" ? undefined : seen.machine;
  });
}

/** Which boxd account a machine was made with, as 64 hex digits that do not give the key away. A new key of the same account counts as another. */
export function accountFingerprint({ apiKey, baseURL, org }: Connection): string {
  const parts = ["paperclip-boxd-account-v1", baseURL ?? "", org ?? "", apiKey];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
