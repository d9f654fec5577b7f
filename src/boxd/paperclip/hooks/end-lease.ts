/** The three ends of a lease's use: release, stop and destroy. A receipt says what boxd's records say, and is given for nothing else. */
import type {
  PluginEnvironmentDestroyLeaseParams,
  PluginEnvironmentReleaseLeaseParams,
  PluginEnvironmentTerminationReceipt,
} from "@paperclipai/plugin-sdk";
import { isErrorKind, type Deadline } from "../../driver/index.ts";
import { isOver, parkLease } from "../lease-timers.ts";
import { isReusable, stampOf, type LeaseStamp } from "../lease.ts";
import { assertOursOrGone, type ConnectedLease } from "../ownership.ts";
import type { Provider } from "../provider.ts";
import { destroyFailedCreation, readCleanup } from "./failed-creation.ts";

/** The published parameters, and what newer hosts add. */
export interface ReleaseParams extends PluginEnvironmentReleaseLeaseParams {
  resourceDisposition?: string;
  /** How the run ended; what is not said counts as well. */
  runStatus?: string;
}

export type Receipt = PluginEnvironmentTerminationReceipt | void;

/** Commands that were told to end get this long; then the machine stops under them. */
const CANCEL_MS = 15_000;

/**
 * Ends the use of a lease: suspended when a later run can resume it, deleted when none can, stopped (its disk kept) when work is cancelled or the machine is
 * to be retained. A suspended machine gets no receipt, for its processes have not ended.
 */
export async function releaseLease(provider: Provider, params: ReleaseParams): Promise<Receipt> {
  if (params.cancelActiveWork === true || params.resourceDisposition === "stop_and_retain")
    return stopLease(provider, params, params.resourceDisposition === "stop_and_retain");
  return endUse(provider, params, async (lease) => {
    const { connection, deadline, id } = lease;
    await deadline.race(`commands of machine ${id} still run`, () => provider.work.drained(id));
    const isKept = isReusable(params.leaseMetadata, connection, params.runStatus);
    return isKept ? suspend(lease, stampOf(params.leaseMetadata)) : remove(lease);
  });
}

/**
 * Stops the machine of a lease and keeps its disk, also of one that would be deleted otherwise. It throws rather than delete, and rather than give
 * a receipt for a stop that boxd does not show. One that is to be retained loses the timer by which boxd would delete it; the moment that the host
 * itself asked for stays.
 */
export async function stopLease(provider: Provider, params: ReleaseParams, retain = true): Promise<Receipt> {
  return endUse(provider, params, async (lease) => {
    const { driver, deadline, id } = lease;
    // Before the stop, and not beside it: a command that is being ended would start a stopped machine again.
    await cancelWork(provider, id, deadline);
    await assertOursOrGone(lease);
    await driver.stopConfirmed(id, deadline);
    if (retain && stampOf(params.leaseMetadata).expiresAt === undefined) await driver.clearExpiry(id, deadline);
    return { providerLeaseId: id, state: "stopped" };
  });
}

/**
 * Deletes the machine of a lease and proves it; one that is gone already is a success. It relies on nothing that an earlier hook left in this
 * process, and takes an empty `environmentId`, for the host calls it long after the environment is gone.
 */
export async function destroyLease(provider: Provider, params: PluginEnvironmentDestroyLeaseParams): Promise<Receipt> {
  return endUse(provider, params, async (lease) => {
    const { id } = lease;
    // Not waited for: nothing survives the machine.
    void provider.work.cancel(id);
    const failed = params.leaseMetadata?.["failedCreateCleanup"] ?? undefined;
    if (failed === undefined) await remove(lease);
    else await destroyFailedCreation(lease, { ...params, providerLeaseId: id }, readCleanup(failed));
    provider.work.released.delete(id);
    return { providerLeaseId: id, state: "destroyed" };
  });
}

/** From now on no work of the lease starts. A lease without a machine has nothing to end. */
async function endUse(
  provider: Provider,
  params: PluginEnvironmentReleaseLeaseParams | PluginEnvironmentDestroyLeaseParams,
  end: (lease: ConnectedLease) => Promise<Receipt>,
): Promise<Receipt> {
  const { providerLeaseId: id, environmentId, leaseMetadata } = params;
  if (id === null) return;
  return provider.onLease(params, leaseMetadata, (connected) => {
    provider.work.released.add(id);
    return end({ ...connected, id, environmentId });
  });
}

async function remove(lease: ConnectedLease): Promise<Receipt> {
  const { driver, deadline, id } = lease;
  await assertOursOrGone(lease);
  await driver.deleteSettled(id, deadline);
  return { providerLeaseId: id, state: "destroyed" };
}

async function suspend(lease: ConnectedLease, { expiresAt }: Partial<LeaseStamp>): Promise<Receipt> {
  const { driver, deadline, id } = lease;
  const requested = expiresAt === undefined ? undefined : new Date(expiresAt);
  if (isOver(requested, driver.clock)) return remove(lease);
  try {
    await assertOursOrGone(lease);
    await parkLease(lease, requested);
    const { status } = await driver.suspend(id, deadline);
    return status === "stopped" ? { providerLeaseId: id, state: "stopped" } : undefined;
  } catch (error) {
    if (!isErrorKind(error, "not-found") || !(await driver.isGone(id, deadline))) throw error;
    return { providerLeaseId: id, state: "destroyed" };
  }
}

async function cancelWork(provider: Provider, id: string, deadline: Deadline): Promise<void> {
  const over = new AbortController();
  await Promise.race([provider.work.cancel(id), deadline.clock.sleep(deadline.cap(CANCEL_MS), over.signal)]);
  over.abort();
}
