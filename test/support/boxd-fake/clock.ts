import { type Clock, systemClock } from "../../../src/boxd/driver/clock.ts";

/** What the plane needs of time: the wall clock, and timers that fire on it. */
export interface PlaneClock {
  wallNow(): number;
  /** runs `fire` once the wall clock has reached `wallMs`; answers a cancel function */
  at(wallMs: number, fire: () => void): () => void;
}

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
}

/**
 * Time that moves only when told to. It serves a plane (timers) and a driver (`now`, `sleep`) alike, so that both can live on one clock.
 * It starts at the real wall time, for deadlines that are computed elsewhere from `Date.now()`.
 */
export class ManualClock implements PlaneClock, Clock {
  private elapsed = 0;
  private order = 0;
  private readonly origin: number;
  private timers: Timer[] = [];

  constructor(origin: number = Date.now()) {
    this.origin = origin;
  }

  now(): number {
    return this.elapsed;
  }

  wallNow(): number {
    return this.origin + this.elapsed;
  }

  at(wallMs: number, fire: () => void): () => void {
    const timer: Timer = { at: wallMs - this.origin, order: this.order++, fire };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted === true || ms <= 0) {
        resolve();
        return;
      }
      const cancel = this.at(this.wallNow() + ms, resolve);
      signal?.addEventListener(
        "abort",
        () => {
          cancel();
          resolve();
        },
        { once: true },
      );
    });
  }

  /** How many timers and sleepers wait. */
  get waiting(): number {
    return this.timers.length;
  }

  /** Moves time forward, firing what falls due in order, and lets everything that was woken run before it goes on. */
  async advance(ms: number): Promise<void> {
    const goal = this.elapsed + ms;
    await settle();
    for (let next = this.due(goal); next !== undefined; next = this.due(goal)) {
      this.timers = this.timers.filter((other) => other !== next);
      this.elapsed = Math.max(this.elapsed, next.at);
      next.fire();
      await settle();
    }
    this.elapsed = goal;
  }

  private due(goal: number): Timer | undefined {
    return this.timers.filter((timer) => timer.at <= goal).sort((a, b) => a.at - b.at || a.order - b.order)[0];
  }
}

/** A driver clock that runs `rate` times faster than the real one: polls of seconds take milliseconds, real processes still get their time. */
export function fastClock(rate: number): Clock {
  const started = performance.now();
  const wall = Date.now();
  const now = (): number => (performance.now() - started) * rate;
  return {
    now,
    wallNow: () => wall + now(),
    sleep: (ms, signal) => systemClock.sleep(ms / rate, signal),
  };
}

/**
 * Real time, in which real processes run, that a test moves on by leaps: a deadline is over once what it is to end has come about, however long that took on
 * a busy computer.
 */
export class LeapClock implements Clock {
  #leapt = 0;
  readonly #sleepers = new Set<() => void>();

  now(): number {
    return performance.now() + this.#leapt;
  }

  wallNow(): number {
    return Date.now() + this.#leapt;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const end = this.now() + ms;
    while (signal?.aborted !== true && this.now() < end) {
      const leapt = new AbortController();
      const wake = (): void => leapt.abort();
      this.#sleepers.add(wake);
      signal?.addEventListener("abort", wake, { once: true });
      await systemClock.sleep(end - this.now(), leapt.signal);
      signal?.removeEventListener("abort", wake);
      this.#sleepers.delete(wake);
    }
  }

  leap(ms: number): void {
    this.#leapt += ms;
    for (const wake of this.#sleepers) wake();
  }
}

/** The real clock as a plane's clock, for planes that live in a process of their own. Its timers do not keep the process alive. */
export const realPlaneClock: PlaneClock = {
  wallNow: () => Date.now(),
  at(wallMs, fire) {
    const timer = setTimeout(fire, Math.max(0, wallMs - Date.now()));
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn++)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}
