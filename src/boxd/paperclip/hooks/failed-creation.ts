import { compareLabels } from "../../driver/index.ts";
import type { Connection } from "../config.ts";
import { creationCleanupClass, refusal, type CreationCleanup } from "../errors.ts";
import { accountFingerprint, findByIdUnlessGone, findUnlessGone } from "../ownership.ts";
import type { Connected } from "../provider.ts";

/** The lease that the host wants to be gone. */
type FailedLease = Pick<CreationCleanup, "providerLeaseId" | "companyId" | "environmentId">;

/**
 * Deletes what a failed creation may have left, after making sure that it is that: made with this account, under the random name of that
 * attempt, and with no other labels. When only the name was known and the machine turns up now, the host first has to record its id: the same
 * error as the creation's tells it, and it asks again (docs/contract/paperclip.md#a-creation-that-failed).
 */
export async function destroyFailedCreation(
  { connection, driver, deadline }: Connected,
  lease: FailedLease,
  cleanup: CreationCleanup,
): Promise<void> {
  assertSameScope(connection, lease, cleanup);
  const id = cleanup.observedProviderLeaseId ?? cleanup.providerLeaseId;
  const knownById = id !== cleanup.attemptId;
  const machine = knownById
    ? await findByIdUnlessGone(driver, id, deadline)
    : await findUnlessGone(driver, id, deadline, () => driver.find(id, deadline));
  // Nothing is deleted by a name: what bears it by then was never looked at.
  if (machine === undefined) return;
  if (machine.name !== cleanup.attemptId)
    throw refusal(`machine ${machine.id} has not the name of the failed creation, so it is left alone`);
  if (compareLabels(machine, cleanup.labels) === "contradict")
    throw refusal(`machine ${machine.id} carries other labels than the failed creation, so it is left alone`);
  if (!knownById) {
    const CleanupError = creationCleanupClass();
    const message = `machine ${machine.id} of the failed creation ${cleanup.attemptId} was found; it is deleted when asked for by its id`;
    throw new CleanupError([], message, { ...cleanup, observedProviderLeaseId: machine.id });
  }
  await driver.deleteSettled(id, deadline, { name: cleanup.attemptId, labels: cleanup.labels });
}

/** What the host recorded of a failed creation, as it hands it back. Throws when it is not complete: nothing may be deleted on a part of it. */
export function readCleanup(value: unknown): CreationCleanup {
  if (typeof value !== "object" || value === null) throw incomplete("it is not an object");
  const record = value as Readonly<Record<string, unknown>>;
  const { observedProviderLeaseId, runId } = record;
  return {
    providerLeaseId: textOf(record, "providerLeaseId"),
    ...(typeof observedProviderLeaseId === "string" ? { observedProviderLeaseId } : {}),
    companyId: textOf(record, "companyId"),
    environmentId: textOf(record, "environmentId"),
    ...(typeof runId === "string" ? { runId } : {}),
    attemptId: textOf(record, "attemptId"),
    accountFingerprint: textOf(record, "accountFingerprint"),
    labels: labelsOf(record["labels"]),
  };
}

function assertSameScope(connection: Connection, lease: FailedLease, cleanup: CreationCleanup): void {
  const differs = (what: string): Error => refusal(`the failed creation ${what}, so nothing is deleted`);
  if (cleanup.accountFingerprint !== accountFingerprint(connection))
    throw differs("belongs to another boxd account or key");
  if (cleanup.providerLeaseId !== lease.providerLeaseId) throw differs("is that of another lease");
  if (cleanup.companyId !== lease.companyId) throw differs("belongs to another company");
  if (lease.environmentId !== "" && cleanup.environmentId !== lease.environmentId)
    throw differs("belongs to another environment");
}

function textOf(record: Readonly<Record<string, unknown>>, name: string): string {
  const value = record[name];
  if (typeof value !== "string" || value === "") throw incomplete(`\`${name}\` is missing`);
  return value;
}

function labelsOf(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null) throw incomplete("`labels` is missing");
  const entries = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  if (entries.length === 0) throw incomplete("`labels` is empty");
  return Object.fromEntries(entries);
}

function incomplete(why: string): Error {
  return refusal(`the record of the failed creation cannot be used: ${why}`);
}
