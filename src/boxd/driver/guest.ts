import { Deadline } from "./deadline.ts";
import type { ExecResult } from "./client.ts";
import { call, type DriverContext } from "./call.ts";
import { BoxdDriverError, isErrorKind, isStoppedRefusal } from "./errors.ts";
import { shellQuote } from "./shell.ts";
import { startAgain } from "./wake.ts";

/** Tries of an idempotent step whose answer was lost. */
const TRIES = 3;
/** Parts of a file: well under the 4 MiB of one gRPC message. */
export const PART_BYTES = 3 * 1024 * 1024;

/**
 * Repeats `step` after a lost answer (three tries) and after a refusal that names a stopped machine (once, after starting it). Only for steps
 * that may run twice.
 */
export async function repeatable<T>(
  context: DriverContext,
  id: string,
  budget: Deadline,
  step: () => Promise<T>,
): Promise<T> {
  let started = false;
  for (let tries = 1; ; tries += 1) {
    try {
      return await step();
    } catch (error) {
      if (isStoppedRefusal(error) && !started) {
        started = true;
        await startAgain(context, id, budget);
      } else if (!isErrorKind(error, "transient") || tries >= TRIES) throw error;
    }
  }
}

/** One of the driver's own small scripts, which must be repeatable. Its status is the caller's to judge; a lost status is an error. */
export async function runInGuest(
  context: DriverContext,
  id: string,
  what: string,
  script: string,
  budget: Deadline,
): Promise<ExecResult> {
  return repeatable(context, id, budget, async () => {
    const timeout = Math.max(1, Math.ceil(budget.remaining()));
    const result = await call(context, budget, `${what} in machine ${id}`, () =>
      context.client.machines.exec(id, { command: script, timeout }),
    );
    if (!hasStatus(result))
      throw new BoxdDriverError(
        { kind: "transient" },
        `${what} in machine ${id}: the stream ended without an exit status`,
      );
    return result;
  });
}

/** False for an answer that does not say how the command ended: a negative status, or none. */
export function hasStatus({ exitCode }: ExecResult): boolean {
  return Number.isInteger(exitCode) && exitCode >= 0;
}

/** Sends bytes as `<path>.0`, `<path>.1`, … (at least one part); answers how many. The directory must exist and be private. */
export async function sendParts(
  context: DriverContext,
  id: string,
  path: string,
  bytes: Uint8Array,
  budget: Deadline,
): Promise<number> {
  const parts = Math.max(1, Math.ceil(bytes.length / PART_BYTES));
  for (let part = 0; part < parts; part += 1) {
    const chunk = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
    await repeatable(context, id, budget, async () => {
      const what = `upload to machine ${id}`;
      const written = await call(context, budget, what, () =>
        context.client.machines.files.upload(id, `${path}.${part}`, chunk),
      );
      if (written !== chunk.length) {
        throw new BoxdDriverError({ kind: "transient" }, `${what}: ${written} of ${chunk.length} bytes were written`);
      }
    });
  }
  return parts;
}

/** Removes a directory of the driver's own, as well as it can: the operation that needed it has already ended. */
export async function removeQuietly(
  context: DriverContext,
  id: string,
  dir: string,
  budget: Deadline = new Deadline(context.clock, context.times.settleMs),
): Promise<void> {
  await runInGuest(context, id, "tidy up", `rm -rf ${shellQuote(dir)}`, budget).catch(() => undefined);
}
