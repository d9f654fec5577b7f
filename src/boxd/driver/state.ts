import type { Machine } from "./client.ts";

/** Where a machine stands. `unknown` is a status that this version has no name for: it is waited on, never taken as proof. */
export type MachineState =
  | "pending"
  | "starting"
  | "running"
  | "suspended"
  | "hibernated"
  | "stopping"
  | "stopped"
  | "failed"
  | "destroyed"
  | "unknown";

/** Statuses of the SDK, and the raw names that older versions let through (`standby` is `suspended`). */
const STATE_BY_STATUS: ReadonlyMap<string, MachineState> = new Map([
  ["pending", "pending"],
  ["booting", "starting"],
  ["starting", "starting"],
  ["running", "running"],
  ["standby", "suspended"],
  ["suspended", "suspended"],
  ["hibernated", "hibernated"],
  ["stopping", "stopping"],
  ["stopped", "stopped"],
  ["failed", "failed"],
  ["destroyed", "destroyed"],
]);

/** The state of a machine record. A `destroying` machine still exists, so it counts as `unknown`. */
export function machineState(machine: Pick<Machine, "status">): MachineState {
  return STATE_BY_STATUS.get(machine.status) ?? "unknown";
}
