/** `@boxd-sh/sdk` as the built command line may import it in a test: class `Boxd` and the error classes. */
import type { BoxdClient } from "../../../src/boxd/driver/client.ts";
import { APIConnectionError, PortViolation, grpcError, type FakeBoxd } from "../boxd-fake/index.ts";
import { execStreamCall } from "../boxd-fake/exec-call.ts";
import { processPlane } from "./process-plane.ts";

export {
  APIConnectionError,
  APIStatusError,
  AuthenticationError,
  BoxdError,
  ConflictError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from "../boxd-fake/index.ts";

export interface BoxdOptions {
  apiKey?: string;
  token?: string;
  baseURL?: string;
  /** milliseconds */
  timeout?: number;
  /** inferred from the Python package's `max_retries`; the fake never retries */
  maxRetries?: number;
}

const OPTIONS: ReadonlySet<string> = new Set(["apiKey", "token", "baseURL", "timeout", "maxRetries"]);
const DEFAULT_BASE_URL = "https://boxd.sh:9443";

/** The client; credentials in the SDK's order, `token` and `apiKey` being the same to the fake. */
export class Boxd implements BoxdClient {
  readonly machines: BoxdClient["machines"];
  readonly orgs: NonNullable<BoxdClient["orgs"]>;
  readonly account: NonNullable<BoxdClient["account"]>;
  private readonly client: FakeBoxd;
  private readonly key: string | undefined;

  constructor(options: BoxdOptions = {}) {
    const { plane, clients, settings } = processPlane();
    for (const key of Object.keys(options)) {
      if (OPTIONS.has(key)) continue;
      const violation = new PortViolation(`new Boxd: unknown option \`${key}\``);
      plane.violations.push(violation);
      throw violation;
    }
    const key = options.token ?? options.apiKey ?? process.env["BOXD_TOKEN"] ?? process.env["BOXD_API_KEY"];
    const baseURL = options.baseURL ?? process.env["BOXD_BASE_URL"] ?? process.env["BOXD_API_URL"] ?? DEFAULT_BASE_URL;
    this.key = key;
    this.client = plane.client(key === undefined ? {} : { apiKey: key });
    clients.opened += 1;
    const reach = reaching(baseURL, settings.baseURLs ?? [DEFAULT_BASE_URL]);
    const { caller } = this.client;
    this.machines = guarded(this.client.machines, reach, {
      streamExec: (...args) => execStreamCall(caller, args, reach),
    });
    this.orgs = guarded(this.client.orgs, reach);
    this.account = guarded(this.client.account, reach);
  }

  async close(): Promise<void> {
    processPlane().clients.closed += 1;
    const { close } = processPlane().settings;
    if (close === "throws") throw new APIConnectionError(`cannot close the session of ${this.key ?? ""}`, 14);
    if (close === "stalls") await new Promise(() => undefined);
    await this.client.close();
  }
}

/** Rejects when no control plane answers at `baseURL`. The SDK appends the path to it, so a trailing slash asks for one that is not there. */
function reaching(baseURL: string, answering: readonly string[]): () => Promise<void> {
  return async () => {
    await processPlane().ready;
    const host = baseURL.replace(/\/+$/, "");
    if (!answering.includes(host)) throw new APIConnectionError("unavailable", 14);
    if (host !== baseURL) throw grpcError(12, "unknown service");
  };
}

/** The same calls, each after `reach`; `own` are those that do not answer a promise. */
function guarded<T extends object>(target: T, reach: () => Promise<void>, own: Partial<T> = {}): T {
  return new Proxy(target, {
    get(from, property): unknown {
      const value: unknown = Reflect.get(from, property);
      if (property in own) return Reflect.get(own, property);
      if (typeof value === "object" && value !== null) return guarded(value, reach);
      if (typeof value !== "function") return value;
      return async (...args: unknown[]): Promise<unknown> => {
        await reach();
        return await (value as (...rest: unknown[]) => unknown).apply(from, args);
      };
    },
  });
}
