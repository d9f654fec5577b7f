import type { PluginEnvironmentLease, PluginEnvironmentResumeLeaseParams } from "@paperclipai/plugin-sdk";
import { BoxdDriverError, isErrorKind, type Deadline, type Machine, type MachineDriver } from "../../driver/index.ts";
import { assertOurs } from "../ownership.ts";
import { expiredLease, leaseFor } from "../lease.ts";
import type { Provider } from "../provider.ts";

/** The host gives all its tries together a minute. */
const RESUME_MS = 50_000;

/**
 * Brings the machine of a lease to `running`, whatever state it is in. `providerLeaseId: null` makes the host throw the machine's data away, so it
 * is answered only for a machine that is gone beyond doubt; everything else that goes wrong is thrown, and nothing is deleted.
 */
export async function resumeLease(
  provider: Provider,
  params: PluginEnvironmentResumeLeaseParams,
): Promise<PluginEnvironmentLease> {
  const { providerLeaseId: id, environmentId, leaseMetadata } = params;
  return provider.onLease(params, leaseMetadata, async ({ connection, driver, deadline }) => {
    if (provider.work.isBusy(id))
      throw new BoxdDriverError("transient", `commands of machine ${id} have not ended yet`);
    const machine = await running(driver, id, environmentId, deadline.part(RESUME_MS, "resume"));
    if (machine === undefined) return expiredLease();
    provider.work.open(id);
    return leaseFor(machine, params, connection, machine.deleteAt);
  });
}

/** The machine, running; undefined when it is gone. */
async function running(
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
  throw new BoxdDriverError("transient", `boxd denied machine ${id} once, but still has it`);
}
