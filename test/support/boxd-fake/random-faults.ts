import fc from "fast-check";
import { FAULT_KINDS, type FaultKind } from "./fault-kinds.ts";
import type { Fault } from "./faults.ts";

const KINDS: Readonly<Record<string, FaultKind>> = FAULT_KINDS;

/** A random fault, as data that fast-check can print and shrink. */
export interface FaultPlan {
  /** Of `machines`, as `create` or `files.upload`. */
  readonly method: string;
  readonly nth: number;
  readonly times: number;
  readonly how: keyof typeof FAULT_KINDS;
}

/** Faults of calls of these methods, every kind that concerns one of them; creating and deleting, where machines get lost, come more often. */
export function faultPlans(methods: readonly string[]): fc.Arbitrary<FaultPlan> {
  const calls = ["create", "delete", "create", "delete", "create", "delete", ...methods];
  const plans = (Object.keys(FAULT_KINDS) as FaultPlan["how"][]).flatMap((how) => {
    const { on, most = Infinity } = KINDS[how] as FaultKind;
    const struck = on === undefined ? calls : on.filter((method) => calls.includes(method));
    if (struck.length === 0) return [];
    return [
      fc.record({
        method: fc.constantFrom(...struck),
        nth: fc.constantFrom(1, 1, 1, 2, 3, 4),
        times: fc.constantFrom(1, 1, 2, most).map((times) => Math.min(times, most)),
        how: fc.constant(how),
      }),
    ];
  });
  return fc.oneof(...plans);
}

/** The fault of a plan. `secret` stands in the text of a refusal, as a careless service would have it. */
export function plannedFault({ method, nth, times, how }: FaultPlan, secret: string): Fault {
  return (KINDS[how] as FaultKind).fault(`machines.${method}`, { nth, times }, secret);
}

/**
 * A plan for every kind and each call that it is made of; kinds of any call strike one of `anywhere`, by turns. They strike once, or as often as they may where that
 * has a limit. `calls` says for each method which of its calls is struck; kinds of other methods have no plan.
 */
export function eachKind(calls: Readonly<Record<string, number>>, anywhere: readonly string[]): FaultPlan[] {
  let turn = 0;
  return (Object.keys(FAULT_KINDS) as FaultPlan["how"][]).flatMap((how) => {
    const { on, most = 1 } = KINDS[how] as FaultKind;
    return (on ?? [anywhere[turn++ % anywhere.length] as string]).flatMap((method): FaultPlan[] => {
      const nth = calls[method];
      return nth === undefined ? [] : [{ method, nth, times: most, how }];
    });
  });
}

/** The kinds of which no plan is. */
export function kindsBeside(plans: readonly FaultPlan[]): string[] {
  return Object.keys(FAULT_KINDS).filter((kind) => plans.every(({ how }) => how !== kind));
}
