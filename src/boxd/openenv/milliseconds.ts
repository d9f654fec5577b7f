/** What Node's timers take: with a longer time they fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Throws unless `value` is left out or a length of time that a timer can keep; `what` names it for the message. */
export function assertMilliseconds(what: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== "number") throw new TypeError(`${what} must be a number of milliseconds`);
  if (!(value > 0 && value <= LONGEST_TIMER_MS))
    throw new RangeError(`${what} must be a number of milliseconds above 0, at most ${LONGEST_TIMER_MS}`);
}
