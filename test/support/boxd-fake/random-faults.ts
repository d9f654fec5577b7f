import fc from "fast-check";
import type { Fault } from "./faults.ts";
import * as scenarios from "./scenarios.ts";

const KINDS = ["lost-4", "lost-14", "refused-14", "refused-7", "refused-8", "stalled-before", "stalled-after", "denied", "hidden", "ignored", "no-status", "short"] as const;

/** A random fault of D5 (facts), as data that fast-check can print and shrink. */
export interface FaultPlan {
  /** Of `machines`, as `create` or `files.upload`. */
  readonly method: string;
  readonly nth: number;
  readonly times: number;
  readonly how: (typeof KINDS)[number];
}

/** Faults of calls of these methods; creating and deleting, where machines get lost, come more often. */
export function faultPlans(methods: readonly string[]): fc.Arbitrary<FaultPlan> {
  return fc.record({
    method: fc.oneof({ arbitrary: fc.constantFrom("create", "delete"), weight: 2 }, { arbitrary: fc.constantFrom(...methods), weight: 3 }),
    nth: fc.constantFrom(1, 1, 1, 2, 3, 4),
    times: fc.constantFrom(1, 1, 2, Infinity),
    how: fc.constantFrom(...KINDS),
  });
}

/** The fault of a plan. `secret` stands in the text of a refusal, as a careless service would have it. */
export function plannedFault({ method: name, nth, times, how }: FaultPlan, secret: string): Fault {
  const method = `machines.${name}`;
  const strike = { nth, times };
  // A plane that denies machines for ever cannot be told from one without them: stale reads end.
  const stale = { nth, times: 1 };
  const faults: Record<FaultPlan["how"], () => Fault> = {
    "lost-4": () => scenarios.answerLost(method, 4, strike),
    "lost-14": () => scenarios.answerLost(method, 14, strike),
    "refused-14": () => scenarios.refused(method, 14, "unavailable", strike),
    "refused-7": () => scenarios.refused(method, 7, `denied ${secret}`, strike),
    "refused-8": () => scenarios.refused(method, 8, "rate limit", strike),
    "stalled-before": () => scenarios.stalled(method, "before", strike),
    "stalled-after": () => scenarios.stalled(method, "after", strike),
    denied: () => scenarios.getDenies(stale),
    hidden: () => scenarios.listHides(() => true, stale),
    ignored: () => scenarios.deleteIgnored(strike),
    "no-status": () => scenarios.exitStatusLost(strike),
    short: () => scenarios.shortUpload(strike),
  };
  return faults[how]();
}
