import { grpcError } from "./errors.ts";
import type { FakeMachine } from "./machine.ts";
import { checkPort, refuse } from "./validate.ts";

/** A port of a machine that anybody can reach. */
export interface ExposedPort {
  readonly machine: FakeMachine;
  readonly port: number;
  readonly publicPort: number;
  readonly protocol: string;
}

const MOST_PER_MACHINE = 3;
const FIRST_PUBLIC = 20_000;

/** The exposed ports of a plane. */
export class PortTable {
  private exposed: ExposedPort[] = [];
  private next = FIRST_PUBLIC;

  /** The same port again keeps its public one. */
  expose(machine: FakeMachine, port: number, protocol: string): ExposedPort {
    checkPort(port);
    if (!["tcp", "udp", "both"].includes(protocol)) refuse(`protocol '${protocol}' is not tcp, udp or both`);
    const before = this.find(machine, port);
    if (before === undefined && this.list(machine).length >= MOST_PER_MACHINE)
      throw grpcError(8, `at most ${String(MOST_PER_MACHINE)} ports of a machine can be exposed`);
    const publicPort = before?.publicPort ?? this.next++;
    const entry = { machine, port, publicPort, protocol };
    this.exposed = [...this.exposed.filter((other) => other !== before), entry];
    return entry;
  }

  unexpose(machine: FakeMachine, port: number): ExposedPort {
    const entry = this.find(machine, port);
    if (entry === undefined) throw grpcError(5, `port ${String(port)} is not exposed`);
    this.exposed = this.exposed.filter((other) => other !== entry);
    return entry;
  }

  list(machine?: FakeMachine): ExposedPort[] {
    return this.exposed.filter((entry) => machine === undefined || entry.machine === machine);
  }

  private find(machine: FakeMachine, port: number): ExposedPort | undefined {
    return this.exposed.find((entry) => entry.machine === machine && entry.port === port);
  }
}
