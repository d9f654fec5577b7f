import { grpcError } from "./errors.ts";

/** The states of a machine; all but `absent` can be read. A deleted one is `destroyed` for a while and then not found. */
export type Status =
  | "pending"
  | "starting"
  | "running"
  | "suspended"
  | "hibernated"
  | "stopping"
  | "stopped"
  | "failed"
  | "destroying"
  | "destroyed"
  | "absent";

/** How many reads of a machine (each `get`, each `list`) still show the state on the way. `Infinity` is for ever. */
export interface Steps {
  /** pending or starting → running; the first half, rounded down, of a new machine's show `pending` */
  boot: number;
  /** stopping → stopped */
  stop: number;
  /** running → suspended, during which the machine still reads `running` */
  suspend: number;
  /** hibernated → running, during which it reads `starting` */
  wake: number;
  /** suspended → hibernated */
  hibernate: number;
  /** `destroying` → `destroyed`, during which it is listed */
  destroy: number;
  /** `destroyed` → not found, during which it is listed as destroyed */
  tombstone: number;
}

export const DEFAULT_STEPS: Readonly<Steps> = {
  boot: 2,
  stop: 1,
  suspend: 0,
  wake: 1,
  hibernate: 1,
  destroy: 1,
  tombstone: 1,
};

/** Refuses (FAILED_PRECONDITION) unless the status is one of `from`. Asking for the state that holds is refused too. */
export function requireStatus(name: string, status: Status, from: readonly Status[], verb: string): void {
  requirePresent(status);
  if (!from.includes(status)) throw grpcError(9, `VM ${name} is ${status} (must be ${from.join(" or ")} to ${verb})`);
}

/** Deleted, or on the way there. */
export function isGone(status: Status): boolean {
  return status === "destroying" || status === "destroyed" || status === "absent";
}

/** A deleted machine answers NOT_FOUND to everything, its record aside. */
export function requirePresent(status: Status): void {
  if (isGone(status)) throw grpcError(5, "VM is destroyed");
}

/**
 * What stands between a caller and the agent inside the machine (exec and files). `parkedWakes` is what sources disagree about: whether
 * a suspended or hibernated machine wakes by itself.
 */
export function requireAgent(name: string, status: Status, parkedWakes: boolean): "ready" | "wake" {
  requirePresent(status);
  if (status === "running") return "ready";
  if (status === "stopped" || status === "failed") {
    throw grpcError(9, `VM ${name} is stopped and can't be resumed automatically - start it from the Machines page`);
  }
  if (status === "suspended" || status === "hibernated") {
    if (parkedWakes) return "wake";
    throw grpcError(9, `VM ${name} is ${status}`);
  }
  throw grpcError(14, "cannot connect to VM agent: connection refused");
}
