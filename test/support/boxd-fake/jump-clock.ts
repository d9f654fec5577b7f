import type { Clock } from "../../../src/boxd/driver/clock.ts";

/** Whose work is to be waited for before time jumps, and whose delays are then in this time. */
export interface Worker {
  isBusy(): boolean;
  delay: (ms: number) => Promise<void>;
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Real milliseconds between two looks whether there is nothing left to do. */
const LOOK_MS = 2;

/**
 * Time that jumps to the next sleeper whenever nothing else is left to do: waiting costs nothing. Without a worker it moves in no other way, so that how long an
 * operation waits is exact; that is for planes that answer at once or not at all. With a plane as the worker it does not jump while a call is being
 * worked on, and runs `rate` times faster than real time meanwhile: commands get their time, and their deadlines come.
 */
export class JumpClock implements Clock {
  readonly #origin = Date.now();
  readonly #started = performance.now();
  readonly #worker: Worker | undefined;
  readonly #rate: number;
  #jumped = 0;
  #sleepers: Sleeper[] = [];
  #look: NodeJS.Timeout | undefined;

  constructor(worker?: Worker, rate = 10) {
    this.#worker = worker;
    this.#rate = worker === undefined ? 0 : rate;
    if (worker !== undefined) worker.delay = (ms) => this.sleep(ms);
  }

  now(): number {
    return this.#jumped + (performance.now() - this.#started) * this.#rate;
  }

  wallNow(): number {
    return this.#origin + this.now();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const wake = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const sleeper: Sleeper = { at: this.now() + Math.max(0, ms), wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", wake, { once: true });
      this.#lookLater();
    });
  }

  #lookLater(): void {
    if (this.#look !== undefined || this.#sleepers.length === 0) return;
    this.#look = setTimeout(() => {
      this.#look = undefined;
      this.#wakeNext();
      this.#lookLater();
    }, LOOK_MS);
  }

  /** One at a time: the one that wakes may have more to do than to sleep again. */
  #wakeNext(): void {
    const next = this.#sleepers.sort((a, b) => a.at - b.at)[0];
    if (next === undefined) return;
    if (next.at > this.now()) {
      if (this.#worker?.isBusy() === true) return;
      this.#jumped += next.at - this.now();
    }
    next.wake();
  }
}
