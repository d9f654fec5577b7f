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

/**
 * What went wrong in a session. `code` is the server's (`INVALID_JSON`, `UNKNOWN_TYPE`, `VALIDATION_ERROR`, `EXECUTION_ERROR`, `CAPACITY_REACHED`,
 * `FACTORY_ERROR`, `SESSION_ERROR`), or ours: `NO_UPGRADE`, `CONNECTION_FAILED`, `CONNECTION_LOST`, `TIMEOUT`, `BAD_ANSWER`.
 */
export class EnvError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "EnvError";
    this.code = code;
  }
}
