/**
 * The commands and realizations that run in this worker, by lease: what may start its machine without being asked to. It only orders what
 * happens within one process. Whether a machine exists, and in which state, is read from boxd every time, because the host may restart the
 * worker between any two calls.
 */
export class ActiveWork {
  readonly #running = new Map<string, Map<AbortController, Promise<unknown>>>();
  /** leases whose use has ended: no work of theirs starts */
  readonly released = new Set<string>();

  /** Runs some work of a lease, with a signal that `cancel` aborts. Answers undefined when the lease was released. */
  async run<T>(leaseId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    if (this.released.has(leaseId)) return undefined;
    const abort = new AbortController();
    const running = this.#running.get(leaseId) ?? new Map<AbortController, Promise<unknown>>();
    this.#running.set(leaseId, running);
    const done = work(abort.signal);
    const settled = done.catch(() => undefined);
    running.set(abort, settled);
    try {
      return await done;
    } finally {
      running.delete(abort);
      if (running.size === 0 && this.#running.get(leaseId) === running) this.#running.delete(leaseId);
    }
  }

  /** Ends what runs. It resolves once all of it has settled. */
  async cancel(leaseId: string): Promise<void> {
    for (const abort of this.#running.get(leaseId)?.keys() ?? []) abort.abort();
    await this.drained(leaseId);
  }

  /** Resolves once nothing of the lease runs. */
  async drained(leaseId: string): Promise<void> {
    await Promise.all(this.#running.get(leaseId)?.values() ?? []);
  }

  isBusy(leaseId: string): boolean {
    return this.#running.has(leaseId);
  }
}
