import { createHash } from "node:crypto";
import { MachineDriver, type Clock, type DriverTimes, type OpenBoxdOptions, type OpenedBoxd } from "../driver/index.ts";
import { CLEANUP_MS, type Connection } from "./config.ts";

export interface ClientCacheOptions {
  open: (options: OpenBoxdOptions) => Promise<OpenedBoxd>;
  clock?: Clock;
  times?: Partial<DriverTimes>;
}

/** A slow line is given this long to end a command after its deadline, and to hand over its output. The host waits 30 seconds more than the command. */
const SETTLE_MS = 5_000;

/** One client for each key and address, kept from hook to hook until the worker ends. Keys are not kept, only their hashes. */
export class ClientCache {
  readonly #options: ClientCacheOptions;
  readonly #opened = new Map<string, Promise<OpenedBoxd>>();

  constructor(options: ClientCacheOptions) {
    this.#options = options;
  }

  /** A driver on the client of these settings. */
  async driver(connection: Connection): Promise<MachineDriver> {
    const { apiKey, org } = connection;
    const { clock, times } = this.#options;
    const { client } = await this.#client(connection);
    return new MachineDriver({
      client,
      secrets: [apiKey],
      times: { cleanupMs: CLEANUP_MS, settleMs: SETTLE_MS, ...times },
      ...(org === undefined ? {} : { org }),
      ...(clock === undefined ? {} : { clock }),
    });
  }

  /** Closes every client; the cache can be used again afterwards. */
  async close(): Promise<void> {
    const opened = [...this.#opened.values()];
    this.#opened.clear();
    for (const entry of opened) await entry.then((share) => share.close()).catch(() => undefined);
  }

  #client({ apiKey, baseURL }: Connection): Promise<OpenedBoxd> {
    const id = createHash("sha256")
      .update(JSON.stringify([apiKey, baseURL ?? ""]))
      .digest("hex");
    const known = this.#opened.get(id);
    if (known !== undefined) return known;
    const opening = this.#options.open({ apiKey, ...(baseURL === undefined ? {} : { baseURL }) });
    this.#opened.set(id, opening);
    // The next hook tries again.
    opening.catch(() => this.#opened.delete(id));
    return opening;
  }
}
