import type { Machine } from "./client.ts";
import { BoxdDriverError } from "./errors.ts";

/** The SDK's statuses (docs/contract/boxd.md#states). */
const STATES = [
  "pending",
  "starting",
  "running",
  "suspended",
  "hibernated",
  "stopping",
  "stopped",
  "failed",
  "destroyed",
] as const;

/** Where a machine stands. `unknown` is a status that this version has no name for: it is waited on, never taken as proof. */
export type MachineState = (typeof STATES)[number] | "unknown";

/** Raw names that older versions let through. */
const OLD_NAMES: ReadonlyMap<string, MachineState> = new Map([
  ["booting", "starting"],
  ["standby", "suspended"],
]);

/** The state of a machine record. A `destroying` machine still exists, so it counts as `unknown`. */
export function machineState(machine: Pick<Machine, "status">): MachineState {
  return STATES.find((state) => state === machine.status) ?? OLD_NAMES.get(machine.status) ?? "unknown";
}

/**
 * One machine as the driver reads it. That moments come as `Date` is inferred from a client that uses them, so texts and epoch milliseconds are
 * taken as well; what is no moment counts as not shown. An answer that is no record at all is an `unknown` error, never an absence.
 */
export function machineRecord(answer: unknown): Machine {
  const isRecord =
    typeof answer === "object" &&
    answer !== null &&
    typeof Reflect.get(answer, "id") === "string" &&
    typeof Reflect.get(answer, "name") === "string";
  if (!isRecord) throw new BoxdDriverError("unknown", "boxd answered something that is no machine record");
  const { createdAt, deleteAt, ...rest } = answer as Machine;
  return { ...rest, ...moment("createdAt", createdAt), ...moment("deleteAt", deleteAt) };
}

/** The same for a listing. */
export function machineRecords(answer: unknown): Machine[] {
  if (!Array.isArray(answer))
    throw new BoxdDriverError("unknown", "boxd answered something that is no list of machines");
  return answer.map(machineRecord);
}

function moment(field: "createdAt" | "deleteAt", value: unknown): Partial<Machine> {
  if (value === null) return { [field]: null };
  if (typeof value !== "string" && typeof value !== "number" && !(value instanceof Date)) return {};
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? {} : { [field]: date };
}
