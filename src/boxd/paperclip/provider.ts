import { createHash } from "node:crypto";
import { withoutUndefined } from "../../base/without-undefined.ts";
import {
  LazyDriver,
  type Deadline,
  type MachineDriver,
  type MachineDriverOptions,
  type openBoxd,
} from "../driver/index.ts";
import { ActiveWork } from "./active-work.ts";
import { CLEANUP_MS, connectionOf, operationMs, type Connection, type Environment, type RawConfig } from "./config.ts";
import { hostError } from "./errors.ts";
import { assertCompany, type LeaseMetadata } from "./lease.ts";

export interface ProviderOptions extends Pick<MachineDriverOptions, "clock" | "times"> {
  env: Environment;
  open: typeof openBoxd;
}

/** What a hook works with: the settings' connection, a driver on it, and the deadline of the hook. */
export interface Connected {
  connection: Connection;
  driver: MachineDriver;
  deadline: Deadline;
  /** null where it is not known */
  sdkVersion: string | null;
}

export interface LeaseParams {
  config: RawConfig;
  companyId: string;
}

/** A slow line is given this long to end a command after its deadline, and to hand over its output. The host waits 30 seconds more than the command. */
const SETTLE_MS = 5_000;

/** What the hooks share: drivers, and the work that runs in this worker. No lease is remembered here. */
export class Provider {
  readonly env: Environment;
  readonly work = new ActiveWork();
  readonly #options: ProviderOptions;
  /** by the hash of key, address and org: keys are not kept */
  readonly #drivers = new Map<string, LazyDriver>();

  constructor(options: ProviderOptions) {
    this.env = options.env;
    this.#options = options;
  }

  async connect(config: RawConfig): Promise<Connected> {
    const connection = connectionOf(config, this.env);
    const opened = this.#driver(connection);
    const driver = await opened.get();
    const deadline = driver.deadline(operationMs(connection));
    return { connection, driver, deadline, sdkVersion: opened.sdkVersion };
  }

  /** The same for a lease that exists, which must be the company's own. */
  async connectLease({ config, companyId }: LeaseParams, metadata: LeaseMetadata): Promise<Connected> {
    assertCompany(metadata, companyId);
    return this.connect(config);
  }

  /** Runs a hook on a lease that exists. What goes wrong is thrown in words that tell the host whether trying again can help. */
  async onLease<T>(params: LeaseParams, metadata: LeaseMetadata, hook: (connected: Connected) => Promise<T>) {
    try {
      return await hook(await this.connectLease(params, metadata));
    } catch (error) {
      throw hostError(error);
    }
  }

  /** Closes every connection; hooks that come afterwards open others. */
  async close(): Promise<void> {
    const drivers = [...this.#drivers.values()];
    this.#drivers.clear();
    for (const driver of drivers) await driver.close().catch(() => undefined);
  }

  #driver({ apiKey, baseURL, org }: Connection): LazyDriver {
    const settings = JSON.stringify([apiKey, baseURL, org]);
    const id = createHash("sha256").update(settings).digest("hex");
    const known = this.#drivers.get(id);
    if (known !== undefined) return known;
    const { open, clock } = this.#options;
    const connection = withoutUndefined({ apiKey, baseURL });
    const times = { cleanupMs: CLEANUP_MS, settleMs: SETTLE_MS, ...this.#options.times };
    const driver = new LazyDriver(withoutUndefined({ connection, open, secrets: [apiKey], times, org, clock }));
    this.#drivers.set(id, driver);
    return driver;
  }
}
