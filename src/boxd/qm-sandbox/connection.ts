import {
  MachineDriver,
  openBoxd,
  type BoxdClient,
  type MachineDriverOptions,
  type OpenedBoxd,
} from "../driver/index.ts";
import { KEY_REQUIRED } from "./settings.ts";
import { HOME } from "./paths.ts";

export interface ConnectionOptions {
  apiKey?: string;
  baseURL?: string;
  org?: string;
  egressProxyUrl?: string;
  /** a client to use instead of one for `apiKey`; it is not closed by the backend */
  client?: BoxdClient;
  /** for the driver underneath: its clock and times */
  driver?: Pick<MachineDriverOptions, "clock" | "times">;
}

/** The driver of a backend, and the share of the SDK's client that it holds. Throws at once when there is neither key nor client. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #apiKey: string;
  #opened: OpenedBoxd | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#apiKey = options.apiKey?.trim() ?? "";
    if (options.client === undefined && this.#apiKey === "") throw new Error(KEY_REQUIRED);
  }

  async driver(): Promise<MachineDriver> {
    const { org, egressProxyUrl, driver = {} } = this.#options;
    const client = this.#options.client ?? (await this.#open());
    const secrets = [this.#apiKey, egressProxyUrl ?? ""].filter((secret) => secret !== "");
    return new MachineDriver({ client, home: HOME, secrets, ...(org === undefined ? {} : { org }), ...driver });
  }

  async close(): Promise<void> {
    await this.#opened?.close();
  }

  async #open(): Promise<BoxdClient> {
    const { baseURL } = this.#options;
    this.#opened = await openBoxd({ apiKey: this.#apiKey, ...(baseURL === undefined ? {} : { baseURL }) });
    return this.#opened.client;
  }
}
