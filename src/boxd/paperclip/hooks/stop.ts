import type { PluginEnvironmentReleaseLeaseParams, PluginEnvironmentTerminationReceipt } from "@paperclipai/plugin-sdk";
import type { Deadline } from "../../driver/index.ts";
import { hostError } from "../errors.ts";
import type { Provider } from "../provider.ts";
import { assertOursOrGone } from "../find-machine.ts";

/** Commands that were told to end get this long; then the machine stops under them. */
const CANCEL_MS = 15_000;

/**
 * Stops the machine of a lease and keeps its disk, also of one that would be deleted otherwise. It throws rather than delete, and rather than give a receipt
 * for a stop that boxd does not show. A delete timer that the host asked for goes on: boxd documents no way to take one back.
 */
export async function stopLease(
  provider: Provider,
  params: PluginEnvironmentReleaseLeaseParams,
): Promise<PluginEnvironmentTerminationReceipt | void> {
  const { providerLeaseId: id, environmentId, leaseMetadata } = params;
  if (id === null) return;
  try {
    const { driver, ms } = await provider.reachLease(params, leaseMetadata);
    const deadline = driver.deadline(ms);
    provider.work.close(id);
    await cancelled(provider, id, deadline);
    await assertOursOrGone(driver, id, environmentId, deadline);
    await driver.stopConfirmed(id, deadline);
    return { providerLeaseId: id, state: "stopped" };
  } catch (error) {
    throw hostError(error);
  }
}

/** Before the stop, and not beside it: a command that is being ended would start a stopped machine again. */
async function cancelled(provider: Provider, id: string, deadline: Deadline): Promise<void> {
  const over = new AbortController();
  await Promise.race([provider.work.cancel(id), deadline.clock.sleep(deadline.cap(CANCEL_MS), over.signal)]);
  over.abort();
}
