import type { PluginEnvironmentDestroyLeaseParams, PluginEnvironmentTerminationReceipt } from "@paperclipai/plugin-sdk";
import { readCleanup } from "../creation-cleanup.ts";
import { hostError } from "../errors.ts";
import type { Provider } from "../provider.ts";
import { assertOursOrGone } from "../find-machine.ts";
import { destroyFailedCreation } from "./destroy-failed-creation.ts";

/**
 * Deletes the machine of a lease and proves it; one that is gone already is a success. It relies on nothing that an earlier hook left in this process, and takes
 * an empty `environmentId`, for the host calls it long after the environment is gone.
 */
export async function destroyLease(
  provider: Provider,
  params: PluginEnvironmentDestroyLeaseParams,
): Promise<PluginEnvironmentTerminationReceipt | void> {
  const { providerLeaseId: id, environmentId, leaseMetadata } = params;
  if (id === null) return;
  try {
    const { connection, driver, ms } = await provider.reachLease(params, leaseMetadata);
    const deadline = driver.deadline(ms);
    provider.work.close(id);
    // Not waited for: nothing survives the machine.
    void provider.work.cancel(id);
    const failedCreation = leaseMetadata?.["failedCreateCleanup"];
    if (failedCreation !== undefined && failedCreation !== null) {
      await destroyFailedCreation(
        driver,
        connection,
        { ...params, providerLeaseId: id },
        readCleanup(failedCreation),
        deadline,
      );
    } else {
      await assertOursOrGone(driver, id, environmentId, deadline);
      await driver.deleteConfirmed(id, deadline);
    }
    provider.work.open(id);
    return { providerLeaseId: id, state: "destroyed" };
  } catch (error) {
    throw error instanceof AggregateError ? error : hostError(error);
  }
}
