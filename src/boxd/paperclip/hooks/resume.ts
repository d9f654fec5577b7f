import type { PluginEnvironmentLease, PluginEnvironmentResumeLeaseParams } from "@paperclipai/plugin-sdk";
import { BoxdDriverError, isErrorKind, type Deadline, type Machine, type MachineDriver } from "../../driver/index.ts";
import { hostError } from "../errors.ts";
import { assertOurs } from "../labels.ts";
import { expiredLease, leaseFor } from "../lease.ts";
import type { Provider } from "../provider.ts";

/** The host gives all its tries together a minute. */
const RESUME_MS = 50_000;

/**
 * Wakes the machine of a lease, whatever state it is in. `providerLeaseId: null` makes the host throw the machine's data away, so it is answered only for a
 * machine that is gone beyond doubt; everything else that goes wrong is thrown, and nothing is deleted.
 */
export async function resumeLease(
  provider: Provider,
  params: PluginEnvironmentResumeLeaseParams,
): Promise<PluginEnvironmentLease> {
  const { providerLeaseId: id, environmentId, leaseMetadata } = params;
  try {
    const { connection, driver, ms } = await provider.reachLease(params, leaseMetadata);
    if (provider.work.isBusy(id))
      throw new BoxdDriverError({ kind: "transient" }, `commands of machine ${id} have not ended yet`);
    const machine = await awake(driver, id, environmentId, driver.deadline(Math.min(ms, RESUME_MS)));
    if (machine === undefined) return expiredLease();
    provider.work.open(id);
    return leaseFor(machine, params, connection, machine.deleteAt);
  } catch (error) {
    throw hostError(error);
  }
}

async function awake(
  driver: MachineDriver,
  id: string,
  environmentId: string,
  deadline: Deadline,
): Promise<Machine | undefined> {
  try {
    const seen = await driver.inspect(id, deadline);
    if (seen.state !== "absent") {
      assertOurs(seen.machine, environmentId);
      return await driver.ensureRunning(id, deadline);
    }
  } catch (error) {
    if (!isErrorKind(error, "not-found")) throw error;
  }
  if (await driver.isGone(id, deadline)) return undefined;
  throw new BoxdDriverError({ kind: "transient" }, `boxd denied machine ${id} once, but still has it`);
}
