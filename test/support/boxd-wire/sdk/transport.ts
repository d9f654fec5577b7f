import {
  Client,
  credentials,
  Metadata,
  status,
  type CallOptions,
  type ClientDuplexStream,
  type ClientReadableStream,
  type ServiceError,
} from "@grpc/grpc-js";
import { AuthenticationError, grpcError, RateLimitError, type BoxdError } from "../../boxd-fake/errors.ts";
import { METHODS, type Message, type Method } from "../codec.ts";

export interface TransportOptions {
  readonly baseURL: string;
  readonly token: string | undefined;
  readonly apiKey: string | undefined;
  /** milliseconds for one call that is no stream */
  readonly timeout: number;
  readonly maxRetries: number;
}

const MOST_BYTES = 64 * 1024 * 1024;
/** A token is renewed so long before it is over. */
const MARGIN_MS = 300_000;
const BACKOFF_MS = 500;

/** Calls to the plane with the vendor's rules: what is repeated, how tokens are got, how errors are named. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #client: Client;
  #exchange: Promise<{ token: string; expiresAt: number }> | undefined;

  constructor(options: TransportOptions) {
    this.#options = options;
    const { target, isPlain } = endpoint(options.baseURL);
    this.#client = new Client(target, isPlain ? credentials.createInsecure() : credentials.createSsl(), {
      "grpc.max_receive_message_length": MOST_BYTES,
      "grpc.max_send_message_length": MOST_BYTES,
      "grpc.enable_retries": 0,
      "grpc.service_config_disable_resolution": 1,
    });
  }

  /** One message each way. Only a lost connection (14) is repeated, whatever the call does, so that a create may be made twice. */
  async unary(name: string, request: Message): Promise<Message> {
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#once(name, request);
      } catch (error) {
        if ((error as BoxdError).grpcCode !== status.UNAVAILABLE || retries >= this.#options.maxRetries) throw error;
      }
      await new Promise((resolve) => {
        setTimeout(resolve, BACKOFF_MS * 2 ** retries);
      });
    }
  }

  /** Many messages to boxd and one back. Never repeated. */
  async clientStream(name: string, requests: Iterable<Message>): Promise<Message> {
    const method = methodOf(name);
    const metadata = await this.#metadata();
    return await new Promise((resolve, reject) => {
      const settle = settler(resolve, reject);
      const call = this.#client.makeClientStreamRequest(
        method.path,
        method.encodeRequest,
        method.decodeResponse,
        metadata,
        this.#deadline(),
        settle,
      );
      for (const request of requests) call.write(request);
      call.end();
    });
  }

  async serverStream(name: string, request: Message): Promise<ClientReadableStream<Message>> {
    const { path, encodeRequest, decodeResponse } = methodOf(name);
    return this.#client.makeServerStreamRequest(path, encodeRequest, decodeResponse, request, await this.#metadata());
  }

  /** `timeoutMs` is for the whole call; without one it lasts as long as it lasts. */
  async bidi(name: string, timeoutMs: number | undefined): Promise<ClientDuplexStream<Message, Message>> {
    const { path, encodeRequest, decodeResponse } = methodOf(name);
    const options: CallOptions = timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };
    return this.#client.makeBidiStreamRequest(path, encodeRequest, decodeResponse, await this.#metadata(), options);
  }

  close(): void {
    this.#client.close();
  }

  async #once(name: string, request: Message): Promise<Message> {
    const { path, encodeRequest, decodeResponse } = methodOf(name);
    const metadata = await this.#metadata();
    return await new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        path,
        encodeRequest,
        decodeResponse,
        request,
        metadata,
        this.#deadline(),
        settler(resolve, reject),
      );
    });
  }

  #deadline(): CallOptions {
    return { deadline: Date.now() + this.#options.timeout };
  }

  async #metadata(): Promise<Metadata> {
    const metadata = new Metadata();
    metadata.set("authorization", `Bearer ${this.#options.token ?? (await this.#freshToken())}`);
    return metadata;
  }

  /** One exchange at a time, whoever waits for it. */
  async #freshToken(): Promise<string> {
    const known = await this.#exchange?.catch(() => undefined);
    if (known !== undefined && Date.now() < known.expiresAt - MARGIN_MS) return known.token;
    const { baseURL, apiKey } = this.#options;
    if (apiKey === undefined) throw new AuthenticationError("no credentials: pass apiKey, or set BOXD_API_KEY");
    const exchange = exchangeKey(`${consoleOrigin(baseURL)}/api/v1/auth/token`, apiKey);
    this.#exchange = exchange;
    return (await exchange).token;
  }
}

/** An error of the exchange has no code: not even one of a console that cannot be reached, which is an authentication error like a bad key. */
async function exchangeKey(url: string, apiKey: string): Promise<{ token: string; expiresAt: number }> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(url, {
      method: "POST",
      redirect: "error",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ api_key: apiKey }),
    }).catch((error: unknown) => {
      throw new AuthenticationError(`could not reach ${url}: ${String(error)}`);
    });
    if (response.status === 429 && tries === 1) {
      const seconds = Number(response.headers.get("retry-after") ?? "5");
      await new Promise((resolve) => {
        setTimeout(resolve, Math.min(seconds, 60) * 1000);
      });
      continue;
    }
    if (response.status === 429) throw new RateLimitError("token exchange rate limit exceeded");
    if (response.status === 401) throw new AuthenticationError("invalid or expired API key");
    if (response.status !== 200) throw new AuthenticationError(`exchange failed: ${String(response.status)}`);
    const body = (await response.json()) as { token: string; expires_at: number };
    return { token: body.token, expiresAt: body.expires_at * 1000 };
  }
}

/** `http://` is plain text, `https://` TLS; a bare host is TLS, but for this computer. */
function endpoint(baseURL: string): { target: string; isPlain: boolean } {
  const [, scheme, target = ""] = /^(?:(https?):\/\/)?(.*)$/.exec(baseURL) ?? [];
  return { target, isPlain: scheme === undefined ? /^(?:localhost|127\.)/.test(target) : scheme === "http" };
}

/** The console beside an address: `https://app.<host>`, or the address itself where that has no name of its own. */
function consoleOrigin(baseURL: string): string {
  const { hostname, origin } = new URL(baseURL);
  const isBare = hostname === "localhost" || /^[\d.]+$|^\[/.test(hostname) || hostname.startsWith("app.");
  return isBare ? origin : `https://app.${hostname}`;
}

function methodOf(name: string): Method {
  const method = METHODS.get(name);
  if (method === undefined) throw new TypeError(`${name} is no method of boxd`);
  return method;
}

function settler(resolve: (answer: Message) => void, reject: (error: Error) => void) {
  return (error: ServiceError | null, answer?: Message): void => {
    if (error !== null) reject(toBoxdError(error));
    else resolve(answer ?? {});
  };
}

/** The SDK's error for what a call ended with. */
export function toBoxdError({ code, details, message }: ServiceError): Error {
  return grpcError(code, details === "" ? message : details);
}
