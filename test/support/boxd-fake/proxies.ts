import type { Proxy } from "../../../src/boxd/driver/client.ts";
import { grpcError } from "./errors.ts";
import { DOMAIN } from "./record.ts";
import { checkPort } from "./validate.ts";

interface Route {
  port: number;
  portMode: "auto" | "locked";
}

/** Where the automatic default route leads when nothing listens. */
const AUTO_PORT = 8000;

/** The HTTPS routes of one machine: the default one, which has no name and chooses its port until it is set, and named ones. */
export class ProxyTable {
  private readonly machineName: string;
  private readonly machineId: string;
  private readonly routes = new Map<string | null, Route>([[null, { port: AUTO_PORT, portMode: "auto" }]]);

  constructor(machine: { id: string; name: string }) {
    this.machineId = machine.id;
    this.machineName = machine.name;
  }

  list(): Proxy[] {
    return [...this.routes].map(([name, route]) => ({
      name,
      machineId: this.machineId,
      machineName: this.machineName,
      domain: name === null ? `${this.machineName}.${DOMAIN}` : `${name}.${this.machineName}.${DOMAIN}`,
      port: route.port,
      portMode: route.portMode,
      isDefault: name === null,
    }));
  }

  setPort(port: number, name: string | null): void {
    checkPort(port);
    const route = this.routes.get(name);
    if (route === undefined) throw grpcError(5, `proxy '${String(name)}' not found`);
    route.port = port;
    route.portMode = "locked";
  }
}
