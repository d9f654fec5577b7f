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
