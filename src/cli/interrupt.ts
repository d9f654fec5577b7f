import type { EndingSignal, ProcessIo } from "./process-io.ts";

/** The user asked the program to end while it waited for something. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly signal: EndingSignal;

  constructor(signal: EndingSignal) {
    super("interrupted");
    this.signal = signal;
  }
}

/**
 * Does what may hang, with a signal that is aborted when the user asks the program to end; before and after it, that ends
 * the program at once.
 *
 * @throws {Interrupted} in the place of what the work throws once it is aborted
 */
export async function interruptible<T>(io: ProcessIo, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const over = new AbortController();
  void io.interrupted(over.signal).then((signal) => stop.abort(new Interrupted(signal)));
  try {
    return await work(stop.signal);
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    over.abort();
  }
}
