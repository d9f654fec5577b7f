import type { Clock } from "./clock.ts";
import { BoxdDriverError } from "./errors.ts";

/** What a caller may say about the time of one operation. */
export interface TimeLimit {
  /** milliseconds for the whole operation, starting the machine and staging included */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/**
 * The time that one operation has, on the monotonic clock. It is made once and handed down, so that the parts of an operation share it.
 * When it has passed, `race`, `sleep` and `check` throw a driver error of kind `timeout`; when the caller's signal is aborted, `aborted`.
 */
export class Deadline {
  readonly clock: Clock;
  readonly totalMs: number;
  readonly signal: AbortSignal | undefined;
  readonly #start: number;

  constructor(clock: Clock, totalMs: number, signal?: AbortSignal) {
    if (!Number.isFinite(totalMs) || totalMs <= 0) {
      throw new BoxdDriverError("invalid", `a timeout must be a positive number of milliseconds, not ${totalMs}`);
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

  /** A deadline for one step: after `ms`, or with this one when that comes first. The same signal ends both. */
  part(ms: number, what: string): Deadline {
    this.check(what);
    return new Deadline(this.clock, this.cap(ms), this.signal);
  }

  /** Throws when there is no time left or the caller gave up; `what` names the step for the message. */
  check(what: string): void {
    if (this.signal?.aborted === true)
      throw new BoxdDriverError("aborted", `${what}: aborted by the caller`, { cause: this.signal.reason });
    if (this.remaining() <= 0) throw this.#timeout(what);
  }

  /**
   * Starts `work` and waits for it until the deadline. Work that has been started cannot be called back: whoever must know its end keeps the
   * promise. A late rejection is swallowed.
   */
  async race<T>(what: string, work: () => Promise<T>): Promise<T> {
    this.check(what);
    const over = new AbortController();
    const give = (): void => over.abort();
    this.signal?.addEventListener("abort", give, { once: true });
    const limit = this.clock.sleep(this.remaining(), over.signal).then(() => {
      this.check(what);
      throw this.#timeout(what);
    });
    try {
      return await Promise.race([work(), limit]);
    } finally {
      this.signal?.removeEventListener("abort", give);
      over.abort();
    }
  }

  /** Sleeps, at most until the deadline, then checks it. */
  async sleep(ms: number, what: string): Promise<void> {
    this.check(what);
    await this.clock.sleep(this.cap(ms), this.signal);
    this.check(what);
  }

  #timeout(what: string): BoxdDriverError {
    return new BoxdDriverError("timeout", `${what}: timed out after ${Math.round(this.totalMs)}ms`);
  }
}
