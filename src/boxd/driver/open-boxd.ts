import { createHash } from "node:crypto";
import { withoutUndefined } from "../../base/without-undefined.ts";
import { baseUrlProblem, cleanBaseURL, environmentBaseURL } from "./base-url.ts";
import type { BoxdClient } from "./client.ts";
import { systemClock } from "./clock.ts";
import { BoxdDriverError, classifyError, errorText } from "./errors.ts";
import { MachineDriver, type MachineDriverOptions } from "./machine-driver.ts";
import { redact } from "./redact.ts";
import { loadSdk } from "./sdk.ts";

export interface OpenBoxdOptions {
  /** `bxd_…`; the environment is not read here, so that nothing depends on it by accident */
  apiKey: string;
  /** for example `https://boxd.sh:9443`; trailing slashes are dropped. When omitted what the SDK takes, which reads the environment for it */
  baseURL?: string;
}

/** A share of the one client of a key and base URL. */
export interface OpenedBoxd {
  readonly client: BoxdClient;
  /** version of the SDK; null where it is not known */
  readonly sdkVersion: string | null;
  /** gives the share back; the connection is closed with the last one. Never throws, ends within five seconds; calling it again does nothing */
  close(): Promise<void>;
}

const CLOSE_MS = 5_000;

/** By base URL and the hash of the key: every client exchanges its key once, and exchanges are rate-limited per address. */
const shared = new Map<string, { readonly opened: ReturnType<typeof connect>; shares: number }>();

/**
 * Opens boxd. The SDK is loaded only now; when it is not installed the error (kind `invalid`) says how to install it. Clients are shared per key and
 * base URL. No call is made yet, so a wrong key shows only at the first one. A base URL that the key must not be sent to is refused (`invalid`).
 */
export async function openBoxd(options: OpenBoxdOptions): Promise<OpenedBoxd> {
  const apiKey = options.apiKey.trim();
  if (apiKey === "") throw new BoxdDriverError("invalid", "boxd needs an API key, and it is blank");
  const baseURL = judgedBaseURL(options.baseURL);
  const id = `${createHash("sha256").update(apiKey).digest("hex")} ${baseURL ?? ""}`;
  const entry = shared.get(id) ?? { opened: connect(apiKey, baseURL), shares: 0 };
  shared.set(id, entry);
  entry.shares += 1;
  const forget = (): void => {
    if (shared.get(id) === entry) shared.delete(id);
  };
  const { client, sdkVersion } = await entry.opened.catch((error: unknown) => {
    // The next call tries again: the package may have been installed meanwhile.
    forget();
    throw error;
  });
  let open = true;
  return {
    client,
    sdkVersion,
    async close() {
      if (!open) return;
      open = false;
      entry.shares -= 1;
      if (entry.shares > 0) return;
      forget();
      // What the caller came for has been done or has failed by now: a connection that will not close changes nothing about it, and its error could hide one that matters.
      const over = new AbortController();
      const closing = (async () => client.close())().catch(() => undefined);
      await Promise.race([closing, systemClock.sleep(CLOSE_MS, over.signal)]);
      over.abort();
    },
  };
}

/** What the SDK would read from the environment by itself is judged as well (docs/contract/boxd.md#client). */
function judgedBaseURL(given: string | undefined): string | undefined {
  const own = cleanBaseURL(given);
  const chosen = own === undefined ? environmentBaseURL(process.env) : { name: "the base URL of boxd", baseURL: own };
  const problem = chosen === undefined ? null : baseUrlProblem(chosen.baseURL);
  if (problem !== null) throw new BoxdDriverError("invalid", `${chosen?.name} ${problem}`);
  return chosen?.baseURL;
}

async function connect(apiKey: string, baseURL: string | undefined) {
  const { Boxd, version } = await loadSdk();
  try {
    return { client: new Boxd(withoutUndefined({ apiKey, maxRetries: 0, baseURL })), sdkVersion: version };
  } catch (error) {
    throw new BoxdDriverError(classifyError(error), `boxd could not be opened: ${redact(errorText(error), [apiKey])}`);
  }
}

/** What a driver is made of once it is needed. */
export interface LazyDriverOptions extends Omit<MachineDriverOptions, "client"> {
  /** a client to use instead of one for the key; it stays the caller's to close */
  client?: BoxdClient | undefined;
  /** how to open boxd otherwise */
  connection: OpenBoxdOptions;
  /** default `openBoxd` */
  open?: (options: OpenBoxdOptions) => Promise<OpenedBoxd>;
}

/** A driver that is opened on first use, and once for all who need it at the same time. An attempt that failed is made again by the next. */
export class LazyDriver {
  readonly #options: LazyDriverOptions;
  #opened: OpenedBoxd | undefined;
  #driver: Promise<MachineDriver> | undefined;

  constructor(options: LazyDriverOptions) {
    this.#options = options;
  }

  get(): Promise<MachineDriver> {
    this.#driver ??= this.#open().catch((error: unknown) => {
      this.#driver = undefined;
      throw error;
    });
    return this.#driver;
  }

  /** Version of the SDK once it was opened; null where it is not known. */
  get sdkVersion(): string | null {
    return this.#opened?.sdkVersion ?? null;
  }

  /** Gives the connection back. The next use opens another. */
  async close(): Promise<void> {
    await this.#driver?.catch(() => undefined);
    const opened = this.#opened;
    this.#opened = undefined;
    this.#driver = undefined;
    await opened?.close();
  }

  async #open(): Promise<MachineDriver> {
    const { client, connection, open = openBoxd, ...options } = this.#options;
    if (client !== undefined) return new MachineDriver({ ...options, client });
    this.#opened = await open(connection);
    return new MachineDriver({ ...options, client: this.#opened.client });
  }
}
