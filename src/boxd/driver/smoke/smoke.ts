import { withoutUndefined } from "../../../base/without-undefined.ts";
import { CleanupUnconfirmedError, explainError, type LeftBehind } from "../errors.ts";
import { SMOKE_PREFIX } from "../inventory.ts";
import type { MachineDriver } from "../machine-driver.ts";
import { SMOKE_STEPS } from "./steps.ts";

/** boxd deletes a smoke machine by itself after this many seconds, whatever becomes of this process. */
const SMOKE_LIFETIME_SECONDS = 1_800;

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
  const { driver, keep, signal, giveUp } = options;
  const steps: StepResult[] = [];
  let left: SmokeReport["left"] = null;
  const step = async <T>(title: string, work: () => Promise<T>): Promise<T | undefined> => {
    options.onStart(title);
    const start = driver.clock.now();
    let problem: string | null = null;
    try {
      return await work();
    } catch (error) {
      problem = driver.redact(explainError(error));
      if (error instanceof CleanupUnconfirmedError)
        left = withoutUndefined({ name: error.left.name, id: error.left.id });
      return undefined;
    } finally {
      const result = { title, ok: problem === null, tookMs: Math.round(driver.clock.now() - start), problem };
      steps.push(result);
      options.onEnd(result);
    }
  };
  const isSound = (): boolean => steps.every((result) => result.ok);
  const spec = { namePrefix: SMOKE_PREFIX, expiry: { afterSeconds: SMOKE_LIFETIME_SECONDS, final: true } };
  const machine = await step("create a machine that deletes itself in half an hour", () =>
    driver.createOwned(spec, { timeoutMs: CREATE_LIMIT_MS, signal }),
  );
  if (machine !== undefined) {
    const { id, name } = machine;
    left = { name, id };
    for (const { title, limitMs, run } of SMOKE_STEPS) {
      if (signal.aborted || !isSound()) break;
      await step(title, () => run({ driver, id, deadline: driver.deadline(limitMs, signal) }));
    }
    // Without the run's signal: an interrupted run still cleans up.
    const within = { timeoutMs: DELETE_LIMIT_MS, signal: giveUp };
    const remove = async (): Promise<boolean> => {
      await driver.deleteSettled(id, within, { name });
      return true;
    };
    if (!keep && (await step("delete it, confirmed", remove)) === true) left = null;
  }
  return { steps, ok: !signal.aborted && isSound(), interrupted: signal.aborted, left };
}
