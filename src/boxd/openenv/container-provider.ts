/** What an OpenEnv client needs of whoever runs the environment's container (docs/contract/openenv.md#provider). */
export interface ContainerProvider {
  /** Runs the image and answers the base URL. One container at a time. */
  startContainer(image?: string, options?: StartOptions): Promise<string>;
  /** Resolves once `GET {baseUrl}/health` is 200; rejects when the server died or the time is over. */
  waitForReady(baseUrl: string, options?: WaitOptions): Promise<void>;
  /** Removes what was started. Nothing to remove is fine. */
  stopContainer(): Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface StartOptions {
  /** 8000, the port of OpenEnv's images, is the only one */
  port?: number;
  /** in addition to the provider's, and before them */
  envVars?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** accepted and ignored: OpenEnv's generic path passes it to every provider */
  waitTimeout?: number;
}

export interface WaitOptions {
  /** milliseconds for everything, default 120000 */
  timeoutMs?: number;
  signal?: AbortSignal;
}

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
  | "NOT_OURS"
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
