import { inspect } from "node:util";
import type { BoxdClient } from "./client.ts";
import type { Clock } from "./clock.ts";
import type { Deadline } from "./deadline.ts";
import { BoxdDriverError, classifyError, isErrorKind } from "./errors.ts";
import { redact } from "./redact.ts";

/** What every part of the driver works with: one client, one clock, one org, and the times that apply when a caller names none. */
export interface DriverContext {
  readonly client: BoxdClient;
  readonly clock: Clock;
  readonly org: string | undefined;
  /** home directory of the machine user */
  readonly home: string;
  readonly times: DriverTimes;
  /** values that must not occur in a message: the key, proxy URLs, … */
  readonly secrets: readonly string[];
}

/** All in milliseconds. */
export interface DriverTimes {
  /** between two reads while waiting for a state */
  pollMs: number;
  /** one call to the control plane; an answer that takes longer counts as lost */
  callMs: number;
  /** one operation, when the caller does not say */
  operationMs: number;
  /** getting rid of a machine after its operation failed; comes on top of the operation's own budget */
  cleanupMs: number;
  /** after a command's deadline or abort: killing it and collecting what it wrote */
  settleMs: number;
}

/**
 * Runs one SDK call within the budget and turns what it throws into a driver error that says what was attempted. Only the budget makes a `timeout` or
 * `aborted`: a deadline of the SDK's own, or an abort that nobody here asked for, is an answer that was lost (`transient`).
 */
export async function call<T>(
  context: DriverContext,
  budget: Deadline,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await budget.race(what, work);
  } catch (error) {
    const known = toDriverError(context, what, error);
    if (known === error || (known.kind !== "timeout" && known.kind !== "aborted")) throw known;
    budget.check(what);
    throw new BoxdDriverError({ kind: "transient" }, known.message, { cause: known.cause });
  }
}

/**
 * The same for a call to the control plane, which answers in a moment or not at all: after `callMs` it counts as lost (`transient`), so that one
 * hanging connection does not use up an operation's whole budget.
 */
export async function control<T>(
  context: DriverContext,
  budget: Deadline,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await call(context, budget.part(context.times.callMs, what), what, work);
  } catch (error) {
    if (!isErrorKind(error, "timeout")) throw error;
    budget.check(what);
    throw new BoxdDriverError({ kind: "transient" }, `${what}: no answer within ${context.times.callMs}ms`, {
      cause: error,
    });
  }
}

/** The same error as a driver error. Its message, and whatever can be read off its cause, are free of the context's secrets. */
export function toDriverError(context: DriverContext, what: string, error: unknown): BoxdDriverError {
  if (error instanceof BoxdDriverError) return error;
  const text = error instanceof Error ? error.message : String(error);
  const clean = redact(text, context.secrets);
  return new BoxdDriverError(classifyError(error), `${what}: ${clean}`, {
    cause: isClean(context, error) ? error : maskedCause(error, clean),
  });
}

/** Also in the error's own fields, its stack and its own causes, which a log of the error shows. */
function isClean(context: DriverContext, error: unknown): boolean {
  const shown = inspect(error, { depth: 8, showHidden: true, maxStringLength: null, breakLength: Infinity });
  return redact(shown, context.secrets) === shown;
}

/** A stand-in for an SDK error whose own text has to stay hidden: same class name, nothing else of it. */
function maskedCause(error: unknown, message: string): Error {
  const stand = new Error(message);
  if (error instanceof Error) stand.name = error.name;
  return stand;
}
