/**
 * Time as the driver sees it. `now` is monotonic and serves every deadline and poll; `wallNow` serves only moments that leave the process
 * (a delete timer) and names. Tests put their own clock here.
 */
export interface Clock {
  /** monotonic milliseconds from an arbitrary origin */
  now(): number;
  /** milliseconds since the Unix epoch */
  wallNow(): number;
  /** resolves after `ms` milliseconds, or at once when the signal is aborted; never rejects */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, Math.max(0, ms));
    signal?.addEventListener("abort", done, { once: true });
  });
}

/** The real clock of the process. */
export const systemClock: Clock = { now: () => performance.now(), wallNow: () => Date.now(), sleep };
