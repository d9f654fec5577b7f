import type { MachineCreateParams } from "../../../src/boxd/driver/client.ts";
import { ManualClock } from "./clock.ts";
import type { Fault, Strike } from "./faults.ts";
import type { FakePlane } from "./plane.ts";
import type { Quirks } from "./quirks.ts";
import type { Steps } from "./status.ts";

/** A call takes `ms` (see `plane.delay`) on its way there, or on the way back; its effect then comes late, maybe when nobody waits any more. */
export function slow(method: string, ms: number, when: "before" | "after", strike: Strike = {}): Fault {
  return { ...strike, method, when, hold: (plane) => plane.delay(ms) };
}

/** From this call on the plane is of another kind. */
export function becomes(quirks: Partial<Quirks>, method: string, strike: Strike = {}): Fault {
  return during(method, strike, (plane) => {
    Object.assign(plane.quirks, quirks);
  });
}

/** From this call on what a machine goes through takes other numbers of reads. */
export function takesReads(steps: Partial<Steps>, method: string, strike: Strike = {}): Fault {
  return during(method, strike, (plane) => {
    Object.assign(plane.steps, steps);
  });
}

/** The boot that this call begins (`create` or `start`) ends in `failed`. */
export function bootFails(method: string, strike: Strike = {}): Fault {
  return during(method, strike, (plane) => {
    plane.bootEnds.push("failed");
  });
}

/** Marks the machines of `nameTaken` beside our own labels: they are somebody else's to delete. */
export const RIVAL = "rival";

/** Somebody else makes a machine of the same name first, so that this create is refused with `code`. */
export function nameTaken(code: 6 | 9, strike: Strike = {}): Fault {
  return during("machines.create", strike, async (plane, [params]) => {
    plane.quirks.nameTaken = code;
    const { name, labels = {} } = params as MachineCreateParams;
    // Once the name is taken, by whomever, there is nothing to do.
    if (!plane.survivors().some((machine) => machine.name === name))
      await plane.seed({ name, labels: { ...labels, [RIVAL]: "yes" } });
  });
}

/** Before this call the plane's time jumps, and timers that fall due fire. */
export function timeJumps(ms: number, method: string, strike: Strike = {}): Fault {
  return during(method, strike, async ({ clock }) => {
    if (!(clock instanceof ManualClock)) throw new TypeError("only a plane with a ManualClock can jump");
    await clock.advance(ms);
  });
}

function during(
  method: string,
  strike: Strike,
  act: (plane: FakePlane, args: readonly unknown[]) => void | Promise<void>,
): Fault {
  return { ...strike, method, hold: async (plane, args) => act(plane, args) };
}
