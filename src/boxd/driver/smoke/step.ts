import type { Deadline } from "../deadline.ts";
import type { MachineDriver } from "../machine-driver.ts";

/** What the steps of a smoke run share: one machine, and what earlier steps left on it. */
export interface SmokeContext {
  readonly driver: MachineDriver;
  readonly id: string;
}

/** One thing that a working boxd machine does. Throws an error that says what was seen instead. */
export interface SmokeStep {
  /** A few words, as the progress line shows them. */
  readonly title: string;
  /** Longest time the step may take, in milliseconds. */
  readonly limitMs: number;
  readonly run: (context: SmokeContext, budget: Deadline) => Promise<void>;
}

/** Throws unless the machine did as expected. Says both; nothing of a smoke run is secret. */
export function expectSame(what: string, expected: string | number | null, seen: string | number | null): void {
  if (expected !== seen) throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(seen)}`);
}

/** Runs a shell script to its end and gives what it printed; throws when it was cut short. */
export async function shell(
  { driver, id }: SmokeContext,
  budget: Deadline,
  script: string,
  more: { env?: Record<string, string>; stdin?: string } = {},
) {
  const outcome = await driver.exec(id, { command: script, ...more }, budget);
  if (outcome.ended !== "exit") throw new Error(`the command was ended by a ${outcome.ended}`);
  return outcome;
}
