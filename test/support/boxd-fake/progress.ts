/** A state on the way, and for how many reads it is still shown. */
export type Phase<S> = readonly [state: S, reads: number];

/**
 * A state that moves on as it is read: deterministic, unlike time, and a caller that does not poll sees nothing change.
 * `enter` is called with each state that is reached, also those that are shown to nobody.
 */
export class Progress<S> {
  private head: S;
  private left: number;
  private rest: Phase<S>[] = [];
  private readonly enter: (state: S) => void;

  constructor(state: S, enter: (state: S) => void) {
    this.head = state;
    this.left = Infinity;
    this.enter = enter;
  }

  get state(): S {
    return this.head;
  }

  /** Leaves whatever was under way for `phases`; the last one is for good. */
  go(...phases: [...Phase<S>[], S]): void {
    const last = phases[phases.length - 1] as S;
    this.rest = [...(phases.slice(0, -1) as Phase<S>[]), [last, Infinity]];
    do this.step();
    while (this.left === 0);
  }

  /** One read: shows the head once more, or moves on. */
  observe(): void {
    while (this.left === 0) this.step();
    this.left -= 1;
  }

  private step(): void {
    const next = this.rest.shift();
    if (next === undefined) return;
    [this.head, this.left] = next;
    this.enter(this.head);
  }
}
