import type { MachineDriver } from "../driver/index.ts";
import { ActiveWork } from "./active-work.ts";
import { ClientCache, type ClientCacheOptions } from "./client-cache.ts";
import { connectionOf, operationMs, type Connection, type Environment, type RawConfig } from "./config.ts";
import { assertCompany } from "./lease.ts";

export interface ProviderOptions extends ClientCacheOptions {
  env: Environment;
}

/** What the hooks share: clients, and the work that runs in this worker. No lease is remembered here. */
export class Provider {
  readonly env: Environment;
  readonly clients: ClientCache;
  readonly work = new ActiveWork();

  constructor(options: ProviderOptions) {
    this.env = options.env;
    this.clients = new ClientCache(options);
  }

  /** The settings' connection and a driver on it. */
  async reach(config: RawConfig): Promise<Reached> {
    const connection = connectionOf(config, this.env);
    return { connection, driver: await this.clients.driver(connection), ms: operationMs(connection) };
  }

  /** The same for a lease that exists, which must be the company's own. */
  async reachLease(
    params: { config: RawConfig; companyId: string },
    metadata: Readonly<Record<string, unknown>> | undefined,
  ): Promise<Reached> {
    assertCompany(metadata, params.companyId);
    return this.reach(params.config);
  }
}

export interface Reached {
  connection: Connection;
  driver: MachineDriver;
  /** milliseconds for the hook */
  ms: number;
}
