import type { BoxdClient } from "./client.ts";
import { MachineDriver, type MachineDriverOptions } from "./machine-driver.ts";
import { openBoxd, type OpenBoxdOptions, type OpenedBoxd } from "./open-boxd.ts";

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
