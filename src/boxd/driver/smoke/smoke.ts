import { explainError } from "../advice.ts";
import { CleanupUnconfirmedError, type LeftBehind } from "../errors.ts";
import type { MachineDriver } from "../machine-driver.ts";
import { COMMAND_STEPS } from "./command-steps.ts";
import { FILE_STEPS } from "./file-steps.ts";
import { STATE_STEPS } from "./state-steps.ts";
import type { SmokeStep } from "./step.ts";

/** Names of smoke machines begin with it, so that `boxd list` finds one that was left. */
export const SMOKE_PREFIX = "qmdeploy-smoke";

/** boxd deletes a smoke machine by itself after this many seconds, whatever becomes of this process. */
const SMOKE_LIFETIME_SECONDS = 1_800;

/** The steps between making the machine and deleting it. */
export const SMOKE_STEPS: readonly SmokeStep[] = [...COMMAND_STEPS, ...FILE_STEPS, ...STATE_STEPS];

const CREATE_LIMIT_MS = 240_000;
const DELETE_LIMIT_MS = 120_000;

/** How one step ended. `problem` says what was seen instead; null where it worked. */
export interface StepResult {
  readonly title: string;
  readonly ok: boolean;
  /** Milliseconds by a monotonic clock. */
  readonly tookMs: number;
  readonly problem: string | null;
}

/** What a smoke run came to. */
export interface SmokeReport {
  readonly steps: readonly StepResult[];
  /** Every step worked, and none was left out because of an interruption. */
  readonly ok: boolean;
  readonly interrupted: boolean;
  /** A machine that is still there: kept on purpose, or not provably deleted. Null where nothing is left. */
  readonly left: Pick<LeftBehind, "name" | "id"> | null;
}

export interface SmokeOptions {
  readonly driver: MachineDriver;
  /** Leave the machine for looking at; its delete timer stays. */
  readonly keep: boolean;
  /** Aborting ends the step at hand and goes on with the clean-up. */
  readonly signal: AbortSignal;
  /** Aborting ends the deletion as well; the machine is then named as left. */
  readonly giveUp: AbortSignal;
  readonly onStart: (title: string) => void;
  readonly onEnd: (result: StepResult) => void;
}

/** Proves a key end to end on a throw-away machine: makes it, runs every step until one fails, deletes it. Never throws for what boxd does. */
export async function runSmoke(options: SmokeOptions): Promise<SmokeReport> {
  const steps: StepResult[] = [];
  let left: SmokeReport["left"] = null;
  const step = async <T>(title: string, work: () => Promise<T>): Promise<T | undefined> => {
    options.onStart(title);
    const { result, value, error } = await timed(options.driver, title, work);
    steps.push(result);
    options.onEnd(result);
    if (error instanceof CleanupUnconfirmedError)
      left = { name: error.left.name, ...(error.left.id === undefined ? {} : { id: error.left.id }) };
    return value;
  };
  const machine = await step("create a machine that deletes itself in half an hour", () => create(options));
  if (machine !== undefined) {
    left = { name: machine.name, id: machine.id };
    await runSteps(options, machine.id, steps, step);
    if (!options.keep && (await step("delete it, confirmed", () => remove(options, machine))) !== undefined)
      left = null;
  }
  const interrupted = options.signal.aborted;
  return { steps, ok: !interrupted && steps.every((result) => result.ok), interrupted, left };
}

type Step = <T>(title: string, work: () => Promise<T>) => Promise<T | undefined>;

async function runSteps(
  { driver, signal }: SmokeOptions,
  id: string,
  steps: readonly StepResult[],
  step: Step,
): Promise<void> {
  for (const { title, limitMs, run } of SMOKE_STEPS) {
    if (signal.aborted || steps.some((result) => !result.ok)) return;
    await step(title, () => run({ driver, id }, driver.budget(limitMs, signal)));
  }
}

async function create({ driver, signal }: SmokeOptions) {
  return driver.createOwned(
    { namePrefix: SMOKE_PREFIX, expiry: { afterSeconds: SMOKE_LIFETIME_SECONDS } },
    { budgetMs: CREATE_LIMIT_MS, signal },
  );
}

/** Without the run's signal: an interrupted run still cleans up. */
async function remove({ driver, giveUp }: SmokeOptions, machine: { readonly id: string; readonly name: string }) {
  return driver.deleteConfirmed(machine.id, { budgetMs: DELETE_LIMIT_MS, signal: giveUp }, { name: machine.name });
}

async function timed<T>(
  driver: MachineDriver,
  title: string,
  work: () => Promise<T>,
): Promise<{ result: StepResult; value?: T; error?: unknown }> {
  const start = driver.clock.now();
  const end = (problem: string | null): StepResult => ({
    title,
    ok: problem === null,
    tookMs: Math.round(driver.clock.now() - start),
    problem,
  });
  try {
    const value = await work();
    return { result: end(null), value };
  } catch (error) {
    return { result: end(driver.redact(explainError(error))), error };
  }
}
