import { inspect } from "node:util";
import type { BoxdClient } from "./client.ts";
import type { Clock } from "./clock.ts";
import { Deadline } from "./deadline.ts";
import { BoxdDriverError, classifyError, errorText, isErrorKind } from "./errors.ts";
import { redact } from "./redact.ts";

/** All in milliseconds. */
export interface DriverTimes {
  /** between two reads while waiting for a state */
  pollMs: number;
  /** one call to the control plane; an answer that takes longer counts as lost */
  callMs: number;
  /** how long a listing may show less than there is (docs/boxd.md#what-the-driver-guarantees): a machine counts as gone once it has been absent for so long */
  listingLagMs: number;
  /** one operation, when the caller does not say */
  operationMs: number;
  /** getting rid of a machine after its operation failed; comes on top of the operation's own time */
  cleanupMs: number;
  /** after a command's deadline or abort: killing it and collecting what it wrote */
  settleMs: number;
}

/** What a driver works with: one client, one clock, one org, and the times that apply when a caller names none. */
export interface DriverContext {
  readonly client: BoxdClient;
  readonly clock: Clock;
  readonly org: string | undefined;
  /** home directory of the machine user */
  readonly home: string;
  readonly times: DriverTimes;
  /** told of trouble that is being waited out: the error, and how many milliseconds there are left for it to pass */
  readonly onRetry?: (error: BoxdDriverError, remainingMs: number) => void;
  /** values that must not occur in a message: the key, proxy URLs, … */
  readonly secrets: readonly string[];
}

/** One call of a driver's method: what the driver works with, and the deadline that all steps of the call share. */
export interface Operation extends DriverContext {
  readonly deadline: Deadline;
}

/** The same with a deadline of its own, for what must still be done when the operation's time is over or its caller gave up. */
export function inOwnTime(operation: Operation, ms: number): Operation {
  return { ...operation, deadline: new Deadline(operation.clock, ms) };
}

/**
 * Makes one SDK call before the deadline and turns what it throws into a driver error that says what was attempted. Only the deadline makes a
 * `timeout` or `aborted`: a deadline of the SDK's own, or an abort that nobody here asked for, is an answer that was lost (`transient`).
 */
export async function call<T>(operation: Operation, what: string, work: () => Promise<T>): Promise<T> {
  const { deadline } = operation;
  try {
    return await deadline.race(what, work);
  } catch (error) {
    const known = toDriverError(operation, what, error);
    if (known === error || (known.kind !== "timeout" && known.kind !== "aborted")) throw known;
    deadline.check(what);
    throw new BoxdDriverError("transient", known.message, { cause: known.cause });
  }
}

/**
 * The same for a call to the control plane, which answers in a moment or not at all: after `callMs` it counts as lost (`transient`), so that
 * one hanging connection does not use up the whole time of an operation.
 */
export async function callControlPlane<T>(operation: Operation, what: string, work: () => Promise<T>): Promise<T> {
  const { callMs } = operation.times;
  try {
    return await call({ ...operation, deadline: operation.deadline.part(callMs, what) }, what, work);
  } catch (error) {
    if (!isErrorKind(error, "timeout")) throw error;
    operation.deadline.check(what);
    throw new BoxdDriverError("transient", `${what}: no answer within ${callMs}ms`, { cause: error });
  }
}

/** Repeats a call that may be made twice until it answers: connection trouble is waited out until the deadline. */
export async function retryCall<T>(operation: Operation, what: string, work: () => Promise<T>): Promise<T> {
  const { deadline, times } = operation;
  for (;;) {
    try {
      return await callControlPlane(operation, what, work);
    } catch (error) {
      if (!mayPass(error) || deadline.remaining() <= times.pollMs) throw error;
      operation.onRetry?.(toDriverError(operation, what, error), deadline.remaining());
    }
    await deadline.sleep(times.pollMs, what);
  }
}

/** True for an error after which asking again can help. */
export function mayPass(error: unknown): boolean {
  const { kind } = classifyError(error);
  return kind === "transient" || kind === "quota" || kind === "unknown";
}

/** The same error as a driver error. Its message, and whatever can be read off its cause, are free of the operation's secrets. */
export function toDriverError({ secrets }: Operation, what: string, error: unknown): BoxdDriverError {
  if (error instanceof BoxdDriverError) return error;
  const clean = redact(errorText(error), secrets);
  // Also in the error's own fields, its stack and its own causes, which a log of the error shows.
  const shown = inspect(error, { depth: 8, showHidden: true, maxStringLength: null, breakLength: Infinity });
  // A stand-in for an error whose own text has to stay hidden: same class name, nothing else of it.
  const standIn = Object.assign(new Error(clean), error instanceof Error ? { name: error.name } : {});
  const cause = redact(shown, secrets) === shown ? error : standIn;
  return new BoxdDriverError(classifyError(error), `${what}: ${clean}`, { cause });
}
