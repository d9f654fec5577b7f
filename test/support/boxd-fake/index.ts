/** A strict boxd control plane in this process; see README.md. */
export { FakeBoxd } from "./client.ts";
export { fastClock, LeapClock, ManualClock, realPlaneClock } from "./clock.ts";
export * from "./errors.ts";
export { mountsSupported } from "./exec.ts";
export type { Fault, Strike } from "./faults.ts";
export { JumpClock } from "./jump-clock.ts";
export type { FakeMachine } from "./machine.ts";
export { FakePlane, TEST_KEY, type PlaneOptions } from "./plane.ts";
export { processesSupported } from "./processes.ts";
export type { Quirks } from "./quirks.ts";
export { DOMAIN } from "./record.ts";
export { countedCommand, repeatedRuns, untilNoneRuns, untilRuns } from "./runs.ts";
export * as scenarios from "./scenarios.ts";
export type { Status, Steps } from "./status.ts";
