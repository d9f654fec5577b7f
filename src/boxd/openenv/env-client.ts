import type { ContainerProvider, StartOptions, WaitOptions } from "./container-provider.ts";
import { assertMilliseconds, clientBase } from "./connection.ts";
import { asJson, EnvError, EnvSocket, type EnvClientOptions, type Json } from "./env-socket.ts";

/** What an environment answers to `reset` and `step`. */
export interface StepResult {
  observation: Json;
  reward: number | boolean | null;
  done: boolean;
  /** what the environment says beside the observation; null when it says nothing */
  metadata: Json | null;
}

/** A session of an OpenEnv environment over its WebSocket: one environment, one request after the other. */
export class EnvClient {
  readonly #url: string;
  readonly #options: Required<EnvClientOptions>;
  readonly #provider: ContainerProvider | null;
  #socket: EnvSocket | undefined;
  #connecting: Promise<void> | undefined;
  #requests = 0;

  constructor(baseUrl: string, options: EnvClientOptions = {}, provider: ContainerProvider | null = null) {
    for (const name of ["connectTimeoutMs", "messageTimeoutMs", "pingIntervalMs"] as const)
      assertMilliseconds(`EnvClient: \`${name}\``, options[name] ?? undefined);
    this.#url = `${clientBase(baseUrl).replace(/^http/i, "ws")}/ws`;
    this.#provider = provider;
    this.#options = {
      connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
      messageTimeoutMs: options.messageTimeoutMs ?? 60_000,
      maxMessageBytes: options.maxMessageBytes ?? 100 * 1024 * 1024,
      pingIntervalMs: options.pingIntervalMs === undefined ? 20_000 : options.pingIntervalMs,
      connection: options.connection ?? {},
    };
  }

  /** Starts the provider's container, waits for its server and connects; `close` stops it again. When any of it fails, it is stopped once. */
  static async fromProvider(
    provider: ContainerProvider,
    options: EnvClientOptions & { image?: string; start?: StartOptions; wait?: WaitOptions } = {},
  ): Promise<EnvClient> {
    const { image, start, wait, ...rest } = options;
    // A start that fails has cleaned up after itself.
    const baseUrl = await provider.startContainer(image, start);
    try {
      await provider.waitForReady(baseUrl, wait);
      const client = new EnvClient(baseUrl, rest, provider);
      await client.connect();
      return client;
    } catch (error) {
      const message = "the environment could not be used, and its container not be stopped";
      await provider.stopContainer().catch((failure: unknown) => {
        throw new AggregateError([error, failure], message);
      });
      throw error;
    }
  }

  /** Opens the socket. Calling it again does nothing while it is open or being opened. Throws `EnvError` when the server refuses the upgrade. */
  async connect(): Promise<void> {
    if (this.#socket?.isOpen === true) return;
    this.#connecting ??= EnvSocket.open(this.#url, this.#options)
      .then((socket) => {
        this.#socket = socket;
      })
      .finally(() => {
        this.#connecting = undefined;
      });
    await this.#connecting;
  }

  async reset(data: Json = {}): Promise<StepResult> {
    return asStep(await this.#open().ask({ type: "reset", data }, "observation"));
  }

  /** The action's fields are the message. */
  async step(action: Json): Promise<StepResult> {
    return asStep(await this.#open().ask({ type: "step", data: action }, "observation"));
  }

  async state(): Promise<Json> {
    return this.#open().ask({ type: "state" }, "state");
  }

  /**
   * Sends a JSON-RPC request to the tools of the environment (`tools/list`; `tools/call` with `{ name, arguments }`), without a step being taken, and answers its
   * result. Throws `EnvError` `MCP_ERROR` for an error, which is in its `details`.
   */
  async mcp(method: string, params: Json = {}): Promise<unknown> {
    this.#requests += 1;
    const data = { jsonrpc: "2.0", method, params, id: this.#requests };
    const { result, error } = await this.#open().ask({ type: "mcp", data }, "mcp");
    if (error === undefined || error === null) return result;
    const details = asJson(error);
    throw new EnvError("MCP_ERROR", `the environment's tools refused: ${String(details["message"])}`, details);
  }

  /** Says goodbye, closes the socket and stops the provider's container. May be called again. */
  async close(): Promise<void> {
    // One that is being opened would be nobody's afterwards.
    await this.#connecting?.catch(() => undefined);
    const socket = this.#socket;
    this.#socket = undefined;
    try {
      await socket?.close();
    } finally {
      await this.#provider?.stopContainer();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #open(): EnvSocket {
    if (this.#socket === undefined) throw new TypeError("the client is not connected");
    return this.#socket;
  }
}

function asStep({ observation, reward, done, metadata }: Json): StepResult {
  return {
    observation: asJson(observation),
    reward: typeof reward === "number" || typeof reward === "boolean" ? reward : null,
    done: done === true,
    metadata: typeof metadata === "object" && metadata !== null ? asJson(metadata) : null,
  };
}
