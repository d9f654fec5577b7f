import type { Proxy } from "../../../src/boxd/driver/client.ts";
import { grpcError } from "./errors.ts";
import { DOMAIN } from "./record.ts";
import { checkPort, refuse } from "./validate.ts";

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

  /** `auto` is for the default route alone. */
  setPort(port: number | "auto", name: string | null): void {
    if (port !== "auto") checkPort(port);
    else if (name !== null) refuse("only the default route finds its port by itself");
    const route = this.routes.get(name);
    if (route === undefined) throw notFound(name);
    Object.assign(route, port === "auto" ? { port: AUTO_PORT, portMode: "auto" } : { port, portMode: "locked" });
  }

  create(name: string, port: number): void {
    if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) refuse(`proxy name '${name}' is not valid`);
    checkPort(port);
    if (this.routes.has(name)) throw grpcError(6, `proxy '${name}' already exists`);
    this.routes.set(name, { port, portMode: "locked" });
  }

  delete(name: string): void {
    if (!this.routes.delete(name)) throw notFound(name);
  }
}

function notFound(name: string | null): Error {
  return grpcError(5, `proxy '${name ?? ""}' not found`);
}
