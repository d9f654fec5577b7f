import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { isJsonObject, parseJson } from "../../base/json.ts";
import type { Connection } from "./connection.ts";

/** JSON as it goes over the wire. */
export type Json = { readonly [name: string]: unknown };

/**
 * What went wrong in a session. `code` is the server's (`INVALID_JSON`, `UNKNOWN_TYPE`, `VALIDATION_ERROR`, `EXECUTION_ERROR`, `CAPACITY_REACHED`,
 * `FACTORY_ERROR`, `SESSION_ERROR`), or ours: `NO_UPGRADE`, `CONNECTION_FAILED`, `CONNECTION_LOST`, `TIMEOUT`, `BAD_ANSWER`, `MCP_ERROR`.
 */
export class EnvError extends Error {
  readonly code: string;
  /** what else the server said: `errors` (of a VALIDATION_ERROR, a list), `active_sessions` and `max_sessions`; the JSON-RPC error of an MCP_ERROR */
  readonly details: Json;

  constructor(code: string, message: string, details: Json = {}) {
    super(message);
    this.name = "EnvError";
    this.code = code;
    this.details = details;
  }
}

export interface EnvClientOptions {
  /** milliseconds until the socket must be open, default 10000 */
  connectTimeoutMs?: number;
  /** milliseconds for one answer, default 60000 */
  messageTimeoutMs?: number;
  /** bytes of one message, default 100 MiB */
  maxMessageBytes?: number;
  /** milliseconds between pings, default 20000; `null` for none */
  pingIntervalMs?: number | null;
  connection?: Connection;
}

const GOODBYE_MS = 2_000;

/** One open WebSocket of an environment (docs/contract/openenv.md#session). Requests are sent one at a time: the protocol has no ids. */
export class EnvSocket {
  readonly #socket: WebSocket;
  readonly #options: Required<EnvClientOptions>;
  #queue: Promise<unknown> = Promise.resolve();
  #waiting: { resolve(message: Json): void; reject(error: EnvError): void } | undefined;
  #ended: EnvError | undefined;

  private constructor(socket: WebSocket, options: Required<EnvClientOptions>) {
    this.#socket = socket;
    this.#options = options;
    socket.on("message", (data) => this.#receive(String(data)));
    socket.on("error", () => this.#end("CONNECTION_LOST", "the connection to the environment failed"));
    socket.on("close", (code) =>
      this.#end("CONNECTION_LOST", `the connection to the environment was closed (${code})`),
    );
    this.#ping();
  }

  /** Texts of the network are not passed on: they name the host, which is secret. */
  static open(url: string, options: Required<EnvClientOptions>): Promise<EnvSocket> {
    const { connectTimeoutMs, maxMessageBytes, connection } = options;
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url, {
        ...(connection.agent === undefined ? {} : { agent: connection.agent }),
        handshakeTimeout: connectTimeoutMs,
        maxPayload: maxMessageBytes,
      });
      const fail = (code: string, message: string): void => {
        socket.removeAllListeners();
        socket.on("error", () => undefined);
        socket.terminate();
        reject(new EnvError(code, message));
      };
      socket.on("unexpected-response", (_request, { statusCode = "nothing" }) =>
        fail("NO_UPGRADE", `the server has no WebSocket at /ws: it answered ${statusCode} instead of 101`),
      );
      socket.on("error", (error) => {
        const code: unknown = Reflect.get(error, "code");
        const why = typeof code === "string" ? ` (${code})` : "";
        fail("CONNECTION_FAILED", `the environment could not be connected to${why}`);
      });
      socket.on("open", () => {
        socket.removeAllListeners();
        resolve(new EnvSocket(socket, options));
      });
    });
  }

  get isOpen(): boolean {
    return this.#ended === undefined;
  }

  /** Sends one message and answers the `data` of its reply, which must be of the type `expected`. */
  ask(message: Json, expected: string): Promise<Json> {
    const answer = this.#queue.then(() => this.#exchange(message, expected));
    this.#queue = answer.catch(() => undefined);
    return answer;
  }

  async close(): Promise<void> {
    if (this.#ended !== undefined) return;
    const closed = new Promise((resolve) => this.#socket.once("close", resolve));
    this.#socket.send(JSON.stringify({ type: "close" }));
    this.#socket.close(1000);
    const late = new AbortController();
    await Promise.race([closed, sleep(GOODBYE_MS, undefined, { signal: late.signal }).catch(() => undefined)]);
    late.abort();
    this.#socket.terminate();
  }

  async #exchange(message: Json, expected: string): Promise<Json> {
    if (this.#ended !== undefined) throw this.#ended;
    const { messageTimeoutMs } = this.#options;
    // Before anything waits: what is not JSON fails alone, and the session goes on.
    const text = JSON.stringify(message);
    const timer = setTimeout(() => {
      // A late answer would be taken for that of the next request: the session is over.
      this.#end("TIMEOUT", `the environment did not answer within ${messageTimeoutMs} ms`);
      this.#socket.terminate();
    }, messageTimeoutMs);
    try {
      const reply = new Promise<Json>((resolve, reject) => {
        this.#waiting = { resolve, reject };
      });
      this.#socket.send(text);
      return dataOf(await reply, expected);
    } finally {
      clearTimeout(timer);
      this.#waiting = undefined;
    }
  }

  #receive(text: string): void {
    const problem = "the environment answered something that is not a JSON object";
    const message = parseJson(text);
    if (!isJsonObject(message)) this.#waiting?.reject(new EnvError("BAD_ANSWER", problem));
    else if (this.#waiting !== undefined) this.#waiting.resolve(message);
    // A server that refuses the session says why before it closes, asked or not.
    else if (message["type"] === "error") this.#ended ??= errorOf(message);
  }

  #end(code: string, message: string): void {
    this.#ended ??= new EnvError(code, message);
    this.#waiting?.reject(this.#ended);
  }

  #ping(): void {
    const { pingIntervalMs } = this.#options;
    if (pingIntervalMs === null) return;
    const timer = setInterval(() => this.#socket.ping(), pingIntervalMs);
    timer.unref();
    this.#socket.once("close", () => clearInterval(timer));
  }
}

function dataOf(message: Json, expected: string): Json {
  if (message["type"] === "error") throw errorOf(message);
  if (message["type"] !== expected)
    throw new EnvError("BAD_ANSWER", `the environment answered "${String(message["type"])}" instead of "${expected}"`);
  return asJson(message["data"]);
}

function errorOf(message: Json): EnvError {
  const { code, message: reason, ...details } = asJson(message["data"]);
  const text = `the environment refused: ${typeof reason === "string" ? reason : "no reason given"}`;
  return new EnvError(typeof code === "string" ? code : "UNKNOWN", text, details);
}

/** An object of a message; what is none counts as empty. */
export function asJson(value: unknown): Json {
  return isJsonObject(value) ? value : {};
}
