import type { Deadline } from "./deadline.ts";
import type { Machine } from "./client.ts";
import type { DriverContext } from "./call.ts";
import { BoxdDriverError } from "./errors.ts";
import { drive, type Step } from "./transition.ts";

/**
 * Suspends a machine to memory and confirms it; its processes are kept. One that is parked already (hibernated and stopped included) stays as
 * it is: the returned record says which.
 */
export async function park(context: DriverContext, id: string, budget: Deadline): Promise<Machine> {
  const { machine } = await drive(
    context,
    id,
    "suspended",
    (state, { status }): Step => {
      switch (state) {
        case "suspended":
        case "hibernated":
        case "stopped":
          return "done";
        case "running":
          return "pause";
        case "failed":
        case "stopping":
          throw new BoxdDriverError(
            { kind: "conflict", conflict: "wrong-state" },
            `machine ${id} is ${status} and cannot be suspended`,
          );
        default:
          return "wait";
      }
    },
    budget,
  );
  return machine;
}
