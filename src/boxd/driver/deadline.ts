import type { Clock } from "./clock.ts";
import { BoxdDriverError } from "./errors.ts";

/** What a caller may say about the time of one operation. */
export interface Limits {
  /** milliseconds for the whole operation, waking and staging included */
  budgetMs?: number;
  signal?: AbortSignal;
}

/**
 * The time that one operation has, on the monotonic clock. It is made once and handed down, so that the parts of an operation share it.
 * When it is used up, `race`, `sleep` and `check` throw a driver error of kind `timeout`; when the caller's signal is aborted, `aborted`.
 */
export class Deadline {
  readonly clock: Clock;
  readonly totalMs: number;
  readonly signal: AbortSignal | undefined;
  readonly #start: number;

  constructor(clock: Clock, totalMs: number, signal?: AbortSignal) {
    if (!Number.isFinite(totalMs) || totalMs <= 0) {
      throw new BoxdDriverError(
        { kind: "invalid" },
        `a time budget must be a positive number of milliseconds, not ${totalMs}`,
      );
    }
    this.clock = clock;
    this.totalMs = totalMs;
    this.signal = signal;
    this.#start = clock.now();
  }

  /** milliseconds used so far */
  elapsed(): number {
    return this.clock.now() - this.#start;
  }

  /** milliseconds left, never negative */
  remaining(): number {
    return Math.max(0, this.totalMs - this.elapsed());
  }

  /** `ms`, or what is left when that is less */
  cap(ms: number): number {
    return Math.min(ms, this.remaining());
  }

  /** A budget of `ms` for one step, or of what is left when that is less; the same signal ends both. */
  part(ms: number, what: string): Deadline {
    this.check(what);
    return new Deadline(this.clock, this.cap(ms), this.signal);
  }

  /** Throws when there is no time left or the caller gave up; `what` names the step for the message. */
  check(what: string): void {
    if (this.signal?.aborted === true) throw abortedError(what, this.signal.reason);
    if (this.remaining() <= 0) throw timeoutError(what, this.totalMs);
  }

  /**
   * Starts `work` and waits for it no longer than the budget lasts. Work that has been started cannot be called back: whoever must know its
   * end keeps the promise. A late rejection is swallowed.
   */
  async race<T>(what: string, work: () => Promise<T>): Promise<T> {
    this.check(what);
    const over = new AbortController();
    const give = (): void => over.abort();
    this.signal?.addEventListener("abort", give, { once: true });
    const limit = this.clock.sleep(this.remaining(), over.signal).then(() => {
      this.check(what);
      throw timeoutError(what, this.totalMs);
    });
    try {
      return await Promise.race([work(), limit]);
    } finally {
      this.signal?.removeEventListener("abort", give);
      over.abort();
    }
  }

  /** Sleeps at most as long as the budget lasts, then checks it. */
  async sleep(ms: number, what: string): Promise<void> {
    this.check(what);
    await this.clock.sleep(this.cap(ms), this.signal);
    this.check(what);
  }
}

/** The budget of a call: the one handed down, or a fresh one from the caller's limits. */
export function toDeadline(clock: Clock, limits: Limits | Deadline | undefined, defaultMs: number): Deadline {
  if (limits instanceof Deadline) return limits;
  return new Deadline(clock, limits?.budgetMs ?? defaultMs, limits?.signal);
}

function timeoutError(what: string, totalMs: number): BoxdDriverError {
  return new BoxdDriverError({ kind: "timeout" }, `${what}: timed out after ${Math.round(totalMs)}ms`);
}

function abortedError(what: string, reason: unknown): BoxdDriverError {
  return new BoxdDriverError({ kind: "aborted" }, `${what}: aborted by the caller`, { cause: reason });
}
