import { call, type Operation } from "./call.ts";
import type { ExecResult } from "./client.ts";
import { BoxdDriverError, isErrorKind, isStoppedRefusal } from "./errors.ts";
import { runToken } from "./names.ts";
import { startAgain } from "./power-state.ts";
import { shellQuote } from "./shell.ts";

/** Tries of an idempotent step whose answer was lost. */
const TRIES = 3;
/** The longest part of a file that one message takes, in bytes: well under the 4 MiB of a gRPC message. */
export const PART_BYTES = 3 * 1024 * 1024;

/**
 * Repeats `step` after a lost answer (three tries) and after a refusal that names a stopped machine (once, after starting it). Only for steps
 * that may run twice.
 */
export async function retryStep<T>(operation: Operation, id: string, step: () => Promise<T>): Promise<T> {
  let started = false;
  for (let tries = 1; ; tries += 1) {
    try {
      return await step();
    } catch (error) {
      if (isStoppedRefusal(error) && !started) {
        started = true;
        await startAgain(operation, id);
      } else if (!isErrorKind(error, "transient") || tries >= TRIES) throw error;
    }
  }
}

/**
 * One of the driver's own small scripts, which must be repeatable. Its status is the caller's to judge, and comes with the output: a stream that is cut
 * reads as a success (docs/contract/boxd.md#commands), so an answer without the script's last line is a lost one.
 */
export async function runInGuest(operation: Operation, id: string, what: string, script: string): Promise<ExecResult> {
  const { client, deadline } = operation;
  const attempted = `${what} in machine ${id}`;
  const token = runToken();
  const command = `(\n${script}\n)\n_c=$?; printf '%s:%s\\n' ${token} "$_c"; exit "$_c"`;
  return retryStep(operation, id, async () => {
    const timeout = Math.max(1, Math.ceil(deadline.remaining()));
    const send = (): Promise<ExecResult> => client.machines.exec(id, { command, timeout });
    const { stdout, stderr } = await call(operation, attempted, send);
    const last = new RegExp(`${token}:(\\d+)\n$`).exec(stdout);
    if (last !== null) return { stdout: stdout.slice(0, last.index), stderr, exitCode: Number(last[1]) };
    throw new BoxdDriverError("transient", `${attempted}: the answer ended before the script`);
  });
}

/** False for an answer that does not say how the command ended: a negative status, or none. */
export function hasStatus({ exitCode }: ExecResult): boolean {
  return Number.isInteger(exitCode) && exitCode >= 0;
}

/** Bytes as pieces that one message takes; none is one piece of no bytes. */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at === 0 || at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}

/** Sends pieces of `PART_BYTES` at most as `<path>.0`, `<path>.1`, …; answers how many. The directory must exist and be private. */
export async function sendParts(
  operation: Operation,
  id: string,
  path: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<number> {
  const { files } = operation.client.machines;
  const what = `upload to machine ${id}`;
  let part = 0;
  for await (const chunk of pieces) {
    await retryStep(operation, id, async () => {
      const written = await call(operation, what, () => files.upload(id, `${path}.${part}`, chunk));
      if (written !== chunk.length)
        throw new BoxdDriverError("transient", `${what}: ${written} of ${chunk.length} bytes were written`);
    });
    part += 1;
  }
  return part;
}

/** Removes a directory of the driver's own, as well as it can: the operation that needed it has already ended. */
export async function removeQuietly(operation: Operation, id: string, dir: string): Promise<void> {
  await runInGuest(operation, id, "tidy up", `rm -rf ${shellQuote(dir)}`).catch(() => undefined);
}
