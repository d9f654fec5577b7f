import type { EndingSignal } from "./process-io.ts";

/** What the process ends with (README.md). Over many inputs the highest wins. */
export const PASSED = 0;
/** Problems found, drift, or a refused publish or render. */
export const PROBLEMS = 1;
/** A wrong command line, an input that is missing, unreadable, too large or not there at all, or no SDK of boxd where one is needed. */
export const USAGE = 2;
/** A fault of this toolkit, never of its input. */
export const INTERNAL = 70;
/** Asked to end before there was a result: 128 and the number of the signal, as a shell says it. */
export const INTERRUPTED: { readonly [signal in EndingSignal]: number } = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
