import type { Clock } from "../../../src/boxd/clock.ts";

/**
 * Time that jumps to the next sleeper whenever nothing else is left to do: how long an operation waits is then exact, and the test takes none of it. Only for
 * planes that answer at once or not at all; a machine's real processes would be given no time.
 */
export class JumpClock implements Clock {
  readonly #origin = Date.now();
  #elapsed = 0;
  #sleepers: { at: number; wake: () => void }[] = [];

  now(): number {
    return this.#elapsed;
  }

  wallNow(): number {
    return this.#origin + this.#elapsed;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const sleeper = { at: this.#elapsed + Math.max(0, ms), wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        resolve();
      }, { once: true });
      setTimeout(() => { this.#jump(); }, 2);
    });
  }

  #jump(): void {
    const next = this.#sleepers.sort((a, b) => a.at - b.at).shift();
    if (next === undefined) return;
    this.#elapsed = Math.max(this.#elapsed, next.at);
    next.wake();
  }
}
