import type { PluginEnvironmentAcquireLeaseParams, PluginEnvironmentLease } from "@paperclipai/plugin-sdk";
import { CleanupUnconfirmedError, type OwnedSpec } from "../../driver/index.ts";
import { machineChoice, type Connection } from "../config.ts";
import { creationCleanupClass, hostError, refusal, type AcquisitionDiagnostic } from "../errors.ts";
import { accountFingerprint, assertScope, machineLabels } from "../ownership.ts";
import { leaseFor, REMOTE_CWD } from "../lease.ts";
import type { Provider } from "../provider.ts";

/**
 * Makes the machine of a lease. When any step fails nothing is left behind, or the error names the machine in the host's own cleanup envelope. What can be
 * refused is refused before the machine exists.
 */
export async function acquireLease(
  provider: Provider,
  params: PluginEnvironmentAcquireLeaseParams,
): Promise<PluginEnvironmentLease> {
  assertScope(params);
  const choice = machineChoice(params.config, provider.env);
  const expiresAt = momentOf(params.requestedExpiresAt);
  const { connection, driver, deadline } = await provider.connect(params.config);
  let phase: AcquisitionDiagnostic["phase"] = "create";
  const spec: OwnedSpec = {
    ...choice,
    namePrefix: "paperclip",
    isolated: true,
    labels: machineLabels(params),
    ...(expiresAt === undefined ? {} : { expiry: { at: expiresAt } }),
    async prepare({ id }) {
      phase = "workspace";
      await driver.makeDirectory(id, REMOTE_CWD, deadline);
    },
  };
  try {
    const owned = await driver.createOwned(spec, deadline);
    provider.work.open(owned.id);
    return leaseFor(owned.machine, params, connection, owned.expiresAt);
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
  const cleanup = {
    providerLeaseId: left.id ?? left.name,
    companyId: params.companyId,
    environmentId: params.environmentId,
    runId: params.runId,
    attemptId: left.name,
    accountFingerprint: accountFingerprint(connection),
    labels: { ...left.labels },
  };
  const CleanupError = creationCleanupClass();
  return new CleanupError([error.trigger ?? error], error.message, cleanup, diagnostic);
}

function momentOf(requested: string | null | undefined): Date | undefined {
  if (requested === undefined || requested === null) return undefined;
  const at = new Date(requested);
  if (Number.isNaN(at.getTime())) throw refusal("`requestedExpiresAt` is not a moment in time");
  return at;
}
