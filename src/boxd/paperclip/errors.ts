import * as sdk from "@paperclipai/plugin-sdk";
import { BoxdDriverError, classifyError, errorText, type BoxdErrorKind } from "../driver/index.ts";

/** The machine of a failed creation, in the fields of the host's envelope `paperclip/environment-creation-cleanup/v1`. */
export interface CreationCleanup {
  /** the machine's id, or the name that was chosen before the call when the id never became known */
  providerLeaseId: string;
  /** the id that was found later, under which the host asks again before anything is deleted */
  observedProviderLeaseId?: string;
  companyId: string;
  environmentId: string;
  runId?: string;
  attemptId: string;
  /** 64 lowercase hex digits */
  accountFingerprint: string;
  labels: Record<string, string>;
}

/** Whole milliseconds. */
export interface AcquisitionDiagnostic {
  phase: "create" | "workspace";
  elapsedMs: number;
  budgetMs: number;
}

/** The host's error by shape, for the plugin SDKs up to 2026.916.1, which do not export it (and whose workers pass on only the message). */
export class LocalCreationCleanupError extends AggregateError {
  readonly cleanup: CreationCleanup;
  readonly acquisitionDiagnostic: AcquisitionDiagnostic | undefined;

  constructor(errors: unknown[], message: string, cleanup: CreationCleanup, diagnostic?: AcquisitionDiagnostic) {
    super(errors, message);
    this.name = "PluginEnvironmentCreationCleanupError";
    this.cleanup = cleanup;
    this.acquisitionDiagnostic = diagnostic;
  }
}

/** The SDK's own class where it has one, for a worker recognises its own with `instanceof`; looked up by name, because published SDKs do not export it. */
export function creationCleanupClass(from: object = sdk): typeof LocalCreationCleanupError {
  const own: unknown = Reflect.get(from, "PluginEnvironmentCreationCleanupError");
  return typeof own === "function" ? (own as typeof LocalCreationCleanupError) : LocalCreationCleanupError;
}

/** What the host takes for passing: it retries a resume by these words (docs/contract/paperclip.md#receipts-and-retries). */
const RETRYABLE: Readonly<Partial<Record<BoxdErrorKind, string>>> = {
  transient: "boxd is temporarily unavailable",
  quota: "boxd rate limit or quota reached",
  timeout: "boxd operation timed out",
};

/** The same failure in words that tell the host whether trying again can help. The text is the driver's, which masks secrets. */
export function hostError(error: unknown): Error {
  // The record of a failed creation, which the host reads.
  if (error instanceof AggregateError) return error;
  const prefix = RETRYABLE[classifyError(error).kind];
  if (prefix !== undefined) return new Error(`${prefix}: ${errorText(error)}`, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}

/** A request that is refused as it stands. */
export function refusal(message: string): BoxdDriverError {
  return new BoxdDriverError("invalid", message);
}

/** The refusal of work on a lease whose use has ended. */
export function released(id: string): BoxdDriverError {
  return refusal(`the lease of machine ${id} was released; it takes commands again once it is resumed`);
}
