/**
 * Runs a task for the newest state alone: what is asked for while it runs is done once, after it, and what is asked for
 * in quick succession once, when it has been quiet for `delay` milliseconds.
 */
export class Latest {
  readonly #task: () => Promise<void>;
  readonly #delay: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | null = null;

  constructor(task: () => Promise<void>, delay: number) {
    this.#task = task;
    this.#delay = delay;
  }

  /** Asks for a run, soon. */
  request(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), this.#delay);
  }

  /** Resolves when the newest state has been dealt with. */
  async settled(): Promise<void> {
    while (this.#timer !== undefined || this.#running !== null) await (this.#running ?? this.#run());
  }

  async #run(): Promise<void> {
    if (this.#running !== null) await this.#running;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running = this.#task().finally(() => {
      this.#running = null;
    });
    await this.#running;
  }
}
