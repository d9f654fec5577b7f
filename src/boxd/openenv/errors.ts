/** Why a provider could not do what it was asked to. */
export type ProviderErrorCode =
  | "ALREADY_STARTED"
  | "NOT_STARTED"
  | "START_FAILED"
  | "INSECURE_URL"
  | "CONTAINER_EXITED"
  | "MACHINE_GONE"
  | "NOT_READY"
  | "BUILD_FAILED"
  | "CLEANUP_FAILED"
  | "ABORTED";

/** An error of a provider. Its message names no secret, and neither the machine's name nor its host, which are one. */
export class ProviderError extends Error {
  readonly code: ProviderErrorCode;

  constructor(code: ProviderErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ProviderError";
    this.code = code;
  }
}
