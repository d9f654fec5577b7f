import type { PluginEnvironmentReleaseLeaseParams, PluginEnvironmentTerminationReceipt } from "@paperclipai/plugin-sdk";
import { isErrorKind, type Deadline, type MachineDriver } from "../../driver/index.ts";
import { hostError } from "../errors.ts";
import { isReusable } from "../lease.ts";
import type { Provider } from "../provider.ts";
import { assertOursOrGone } from "../find-machine.ts";
import { stopLease } from "./stop.ts";

/** The published parameters, and what newer hosts add. */
export interface ReleaseParams extends PluginEnvironmentReleaseLeaseParams {
  resourceDisposition?: string;
}

/**
 * Ends the use of a lease: suspended when it is to be reused, deleted when not, stopped (its disk kept) when work is cancelled or the machine is to be
 * retained. A receipt says what boxd's records say. A suspended machine gets none, for its processes have not ended.
 */
export async function releaseLease(
  provider: Provider,
  params: ReleaseParams,
): Promise<PluginEnvironmentTerminationReceipt | void> {
  const { providerLeaseId: id, leaseMetadata } = params;
  if (id === null) return;
  if (params.cancelActiveWork === true || params.resourceDisposition === "stop_and_retain")
    return stopLease(provider, params);
  try {
    const { connection, driver, ms } = await provider.reachLease(params, leaseMetadata);
    const deadline = driver.deadline(ms);
    provider.work.close(id);
    await deadline.race(`commands of machine ${id} still run`, () => provider.work.drained(id));
    if (!isReusable(leaseMetadata, connection)) return await remove(driver, id, params.environmentId, deadline);
    return await suspend(driver, id, params.environmentId, deadline);
  } catch (error) {
    throw hostError(error);
  }
}

async function remove(
  driver: MachineDriver,
  id: string,
  environmentId: string,
  deadline: Deadline,
): Promise<PluginEnvironmentTerminationReceipt> {
  await assertOursOrGone(driver, id, environmentId, deadline);
  await driver.deleteConfirmed(id, deadline);
  return { providerLeaseId: id, state: "destroyed" };
}

async function suspend(
  driver: MachineDriver,
  id: string,
  environmentId: string,
  deadline: Deadline,
): Promise<PluginEnvironmentTerminationReceipt | void> {
  try {
    await assertOursOrGone(driver, id, environmentId, deadline);
    const { status } = await driver.suspend(id, deadline);
    return status === "stopped" ? { providerLeaseId: id, state: "stopped" } : undefined;
  } catch (error) {
    if (!isErrorKind(error, "not-found") || !(await driver.isGone(id, deadline))) throw error;
    return { providerLeaseId: id, state: "destroyed" };
  }
}
