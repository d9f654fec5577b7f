import type { PluginEnvironmentAcquireLeaseParams, PluginEnvironmentLease } from "@paperclipai/plugin-sdk";
import {
  CleanupUnconfirmedError,
  type Deadline,
  type MachineDriver,
  type OwnedMachine,
  type OwnedSpec,
} from "../../driver/index.ts";
import { machineChoice, type Connection } from "../config.ts";
import { creationCleanupClass, hostError, refusal, type AcquisitionDiagnostic } from "../errors.ts";
import { accountFingerprint, assertScope, machineLabels } from "../labels.ts";
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
  const expiresAt = deadline(params.requestedExpiresAt);
  const { connection, driver, ms } = await provider.reach(params.config);
  const attempt = new Attempt(driver, driver.deadline(ms));
  const spec: OwnedSpec = {
    ...choice,
    namePrefix: "paperclip",
    isolated: true,
    labels: machineLabels(params),
    ...(expiresAt === undefined ? {} : { expiry: { at: expiresAt } }),
  };
  try {
    const owned = await attempt.create(spec);
    provider.work.open(owned.id);
    return leaseFor(owned.machine, params, connection, owned.expiresAt);
  } catch (error) {
    throw error instanceof CleanupUnconfirmedError
      ? reported(error, params, connection, attempt.diagnostic())
      : hostError(error);
  }
}

/** One creation, and how far it came. */
class Attempt {
  readonly #driver: MachineDriver;
  readonly #deadline: Deadline;
  #phase: AcquisitionDiagnostic["phase"] = "create";

  constructor(driver: MachineDriver, deadline: Deadline) {
    this.#driver = driver;
    this.#deadline = deadline;
  }

  create(spec: OwnedSpec): Promise<OwnedMachine> {
    const prepare = async ({ id }: { id: string }, deadline: Deadline): Promise<void> => {
      this.#phase = "workspace";
      await this.#driver.makeDirectory(id, REMOTE_CWD, deadline);
    };
    return this.#driver.createOwned({ ...spec, prepare }, this.#deadline);
  }

  diagnostic(): AcquisitionDiagnostic {
    const { totalMs } = this.#deadline;
    return { phase: this.#phase, elapsedMs: Math.round(this.#deadline.elapsed()), budgetMs: Math.round(totalMs) };
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

function deadline(requested: string | null | undefined): Date | undefined {
  if (requested === undefined || requested === null) return undefined;
  const at = new Date(requested);
  if (Number.isNaN(at.getTime())) throw refusal("`requestedExpiresAt` is not a moment in time");
  return at;
}
