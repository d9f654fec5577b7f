import { compareLabels, type Deadline, type Machine, type MachineDriver } from "../../driver/index.ts";
import type { Connection } from "../config.ts";
import { creationCleanupClass, refusal, type CreationCleanup } from "../errors.ts";
import { accountFingerprint } from "../labels.ts";
import { findUnlessGone, findByIdUnlessGone } from "../find-machine.ts";

/**
 * Deletes what a failed creation may have left, after making sure that it is that: made with this account, under the random name of that attempt, and with no
 * other labels. When only the name was known and the machine turns up now, the host first has to record its id: the same error as the creation's
 * tells it, and it asks again.
 */
export async function destroyFailedCreation(
  driver: MachineDriver,
  connection: Connection,
  params: { providerLeaseId: string; companyId: string; environmentId: string },
  cleanup: CreationCleanup,
  deadline: Deadline,
): Promise<void> {
  assertScope(connection, params, cleanup);
  const id = cleanup.observedProviderLeaseId ?? cleanup.providerLeaseId;
  const knownById = id !== cleanup.attemptId;
  const machine = knownById
    ? await findByIdUnlessGone(driver, id, deadline)
    : await findUnlessGone(driver, id, deadline, () => driver.find(id, deadline));
  // Nothing is deleted by a name: what bears it by then was never looked at.
  if (machine === undefined) return;
  assertAttempt(machine, cleanup);
  if (!knownById) {
    const CleanupError = creationCleanupClass();
    throw new CleanupError(
      [],
      `machine ${machine.id} of the failed creation ${cleanup.attemptId} was found; it is deleted when asked for by its id`,
      {
        ...cleanup,
        observedProviderLeaseId: machine.id,
      },
    );
  }
  await driver.deleteConfirmed(id, deadline, { name: cleanup.attemptId, labels: cleanup.labels });
}

function assertScope(
  connection: Connection,
  params: { providerLeaseId: string; companyId: string; environmentId: string },
  cleanup: CreationCleanup,
): void {
  if (cleanup.accountFingerprint !== accountFingerprint(connection))
    throw refusal("the failed creation belongs to another boxd account or key, so nothing is deleted");
  if (cleanup.providerLeaseId !== params.providerLeaseId)
    throw refusal("the failed creation is that of another lease, so nothing is deleted");
  if (cleanup.companyId !== params.companyId)
    throw refusal("the failed creation belongs to another company, so nothing is deleted");
  if (params.environmentId !== "" && cleanup.environmentId !== params.environmentId) {
    throw refusal("the failed creation belongs to another environment, so nothing is deleted");
  }
}

function assertAttempt(machine: Machine, cleanup: CreationCleanup): void {
  if (machine.name !== cleanup.attemptId)
    throw refusal(`machine ${machine.id} has not the name of the failed creation, so it is left alone`);
  if (compareLabels(machine, cleanup.labels) === "contradict")
    throw refusal(`machine ${machine.id} carries other labels than the failed creation, so it is left alone`);
}
