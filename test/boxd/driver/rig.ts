import { MachineDriver, type MachineDriverOptions } from "../../../src/boxd/driver/index.ts";
import {
  LeapClock,
  FakePlane,
  JumpClock,
  processesSupported,
  TEST_KEY,
  type FakeMachine,
  type PlaneOptions,
} from "../../support/boxd-fake/index.ts";

/** Part of the title of every suite that needs real processes in machines. */
export const needsProcesses = processesSupported ? "" : " (skipped: the fake's machines need /proc)";
export const skipWithoutProcesses = !processesSupported;

/** A plane, and a driver on it. Time jumps from wait to wait and stands still while the plane works, so that no busy machine can use a deadline up. */
export class Rig implements AsyncDisposable {
  readonly plane: FakePlane;
  readonly driver: MachineDriver;

  constructor(
    plane: PlaneOptions = {},
    driver: Partial<MachineDriverOptions> | ((plane: FakePlane) => Partial<MachineDriverOptions>) = {},
  ) {
    this.plane = new FakePlane(plane);
    this.driver = new MachineDriver({
      client: this.plane.client(),
      clock: new JumpClock(this.plane, 0),
      org: "acme",
      secrets: [TEST_KEY],
      ...(typeof driver === "function" ? driver(this.plane) : driver),
    });
  }

  /** A machine that is running already. */
  async running(name = "box-1"): Promise<FakeMachine> {
    return this.plane.seed({ name, labels: { "managed-by": "qm-deploy" } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.plane.dispose();
  }
}

/** A rig of which nobody counts on how soon an ended command is told. */
export function jumpRig(times: MachineDriverOptions["times"] = {}): Rig {
  return new Rig({}, { times: { settleMs: 20_000, ...times } });
}

/** Milliseconds that no command of a test is near: its time is over when `leap` has taken them. */
export const LONG_MS = 120_000;

/** A rig for commands: real time, because real processes run in it; polls are short. */
export function commandRig(
  plane: PlaneOptions = {},
  driver: Partial<MachineDriverOptions> = {},
): Rig & { readonly leap: () => void } {
  const clock = new LeapClock();
  const times = { pollMs: 20, listingLagMs: 100, settleMs: 30_000 };
  return Object.assign(new Rig(plane, { clock, times, ...driver }), { leap: () => clock.leap(LONG_MS) });
}
