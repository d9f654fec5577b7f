/** The two starts of a lease's use: a machine is made, or the one that is there runs again. */
import type { PluginEnvironmentAcquireLeaseParams, PluginEnvironmentResumeLeaseParams } from "@paperclipai/plugin-sdk";
import { withoutUndefined } from "../../../base/without-undefined.ts";
import {
  BoxdDriverError,
  CleanupUnconfirmedError,
  isErrorKind,
  type Machine,
  type OwnedSpec,
} from "../../driver/index.ts";
import { machineChoice, type Connection } from "../config.ts";
import { creationCleanupClass, hostError, refusal, type AcquisitionDiagnostic } from "../errors.ts";
import { continueLease, endOf } from "../lease-timers.ts";
import { leaseFor, REMOTE_CWD, stampOf, type LeaseStamp } from "../lease.ts";
import { accountFingerprint, assertOurs, assertScope, machineLabels, type ConnectedLease } from "../ownership.ts";
import type { Provider } from "../provider.ts";

/**
 * Makes the machine of a lease. When any step fails nothing is left behind, or the error names the machine in the host's own cleanup envelope. What can be
 * refused is refused before the machine exists.
 */
export async function acquireLease(provider: Provider, params: PluginEnvironmentAcquireLeaseParams) {
  assertScope(params);
  const choice = machineChoice(params.config, provider.env);
  const requested = momentOf(params.requestedExpiresAt);
  const { connection, driver, deadline } = await provider.connect(params.config);
  let phase: AcquisitionDiagnostic["phase"] = "create";
  const spec: OwnedSpec = {
    ...choice,
    namePrefix: "paperclip",
    isolated: true,
    labels: machineLabels(params),
    expiry: endOf(connection.maxLeaseSeconds, requested, driver.clock),
    async prepare({ id }) {
      phase = "workspace";
      await driver.makeDirectory(id, REMOTE_CWD, deadline);
    },
  };
  try {
    const owned = await driver.createOwned(spec, deadline);
    provider.work.released.delete(owned.id);
    return leaseFor(owned.id, stampFor(params, requested), connection, owned.expiresAt);
  } catch (error) {
    if (!(error instanceof CleanupUnconfirmedError)) throw hostError(error);
    const elapsedMs = Math.round(deadline.elapsed());
    throw reported(error, params, connection, { phase, elapsedMs, budgetMs: Math.round(deadline.totalMs) });
  }
}

/** The machine may still exist: what the host needs to have it deleted later. */
function reported(
  error: CleanupUnconfirmedError,
  params: PluginEnvironmentAcquireLeaseParams,
  connection: Connection,
  diagnostic: AcquisitionDiagnostic,
): AggregateError {
  const { left } = error;
  const { companyId, environmentId, runId } = params;
  const cleanup = {
    providerLeaseId: left.id ?? left.name,
    companyId,
    environmentId,
    runId,
    attemptId: left.name,
    accountFingerprint: accountFingerprint(connection),
    labels: { ...left.labels },
  };
  const CleanupError = creationCleanupClass();
  return new CleanupError([error.trigger ?? error], error.message, cleanup, diagnostic);
}

/** A run without a workspace of its own is never continued (docs/contract/paperclip.md#reuse). */
function stampFor(params: PluginEnvironmentAcquireLeaseParams, requested: Date | undefined): LeaseStamp {
  const { companyId, executionWorkspaceId, workspaceMode } = params;
  const resumable = (executionWorkspaceId ?? "") !== "" && workspaceMode !== "shared_workspace";
  return withoutUndefined({ companyId, resumable, expiresAt: requested?.toISOString() });
}

function momentOf(requested: string | null | undefined): Date | undefined {
  if (requested === undefined || requested === null) return undefined;
  const at = new Date(requested);
  if (Number.isNaN(at.getTime())) throw refusal("`requestedExpiresAt` is not a moment in time");
  return at;
}

/** The host gives all its tries together a minute. */
const RESUME_MS = 50_000;

/**
 * Brings the machine of a lease to `running`, whatever state it is in. `providerLeaseId: null` makes the host throw the machine's data away, so it
 * is answered only for a machine that is gone beyond doubt; everything else that goes wrong is thrown, and nothing is deleted.
 */
export async function resumeLease(provider: Provider, params: PluginEnvironmentResumeLeaseParams) {
  const { providerLeaseId: id, companyId, environmentId, leaseMetadata } = params;
  return provider.onLease(params, leaseMetadata, async (connected) => {
    const { connection, deadline } = connected;
    if (provider.work.isBusy(id))
      throw new BoxdDriverError("transient", `commands of machine ${id} have not ended yet`);
    const part = deadline.part(RESUME_MS, "resume");
    const lease = { ...connected, deadline: part, id, environmentId };
    const machine = await running(lease);
    // Tells the host that there is nothing to resume; it then destroys the lease and makes a new one.
    if (machine === undefined) return { providerLeaseId: null, metadata: { expired: true } };
    const stamp = stampOf(leaseMetadata);
    const expiresAt = await continueLease(lease, momentOf(stamp.expiresAt));
    provider.work.released.delete(id);
    return leaseFor(id, { companyId, resumable: true, ...stamp }, connection, expiresAt);
  });
}

/** The machine, running; undefined when it is gone. */
async function running({ driver, id, environmentId, deadline }: ConnectedLease): Promise<Machine | undefined> {
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
