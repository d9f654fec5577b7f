import { APIConnectionError, AuthenticationError, BoxdError, PortViolation } from "./errors.ts";
import type { Fault } from "./faults.ts";
import type { FakePlane } from "./plane.ts";

/** A client's side of a call: its credential, and whether it was closed. */
export interface Caller {
  readonly plane: FakePlane;
  readonly apiKey: string | undefined;
  readonly closed: AbortSignal;
}

/** One call: what it does once it is let through, and the client's own deadline, if it has one. */
export interface Call<T> {
  readonly method: string;
  readonly args: readonly unknown[];
  /** checks types and unknown options; throws `PortViolation` */
  readonly shape: () => void;
  /** `isFinal` is false when a fault is going to strike what it answers, which must then be shown to nobody before */
  readonly act: (isFinal: boolean) => T | Promise<T>;
  readonly deadline?: { ms: number; message: string; expired(): void };
}

/** The way of every call: recorded, checked for shape, authenticated, struck by faults before and after. */
export async function invoke<T>(caller: Caller, call: Call<T>): Promise<T> {
  const { plane } = caller;
  const record = plane.recorder.begin(call.method, call.args);
  try {
    const answer = await withinDeadline(travel(caller, call), call.deadline, caller);
    record.outcome = "ok";
    return answer;
  } catch (error) {
    record.outcome = "error";
    record.error = error;
    if (error instanceof PortViolation) plane.violations.push(error);
    throw error;
  }
}

async function travel<T>(caller: Caller, call: Call<T>): Promise<T> {
  const { plane } = caller;
  call.shape();
  if (caller.closed.aborted) throw new APIConnectionError("the client is closed", 14);
  // What runs in a machine that sleeps does not get on; a call about such a machine does.
  const isInGuest = /exec|upload|download/.test(call.method);
  const work = plane.begin(isInGuest ? call.args[0] : undefined);
  const strike = async (fault: Fault | undefined): Promise<void> => {
    if (fault?.error !== undefined) throw fault.error();
    if (fault?.stall === true) await work.idle(new Promise(() => undefined));
    if (fault?.hold !== undefined) await work.idle(fault.hold(plane, call.args));
  };
  try {
    // Even the nearest server answers in a later turn: callers that race must be seen to race.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    if (caller.apiKey === undefined) throw new AuthenticationError("no credential", 16);
    if (!plane.apiKeys.includes(caller.apiKey)) throw new AuthenticationError("invalid token", 16);
    const { before, after } = plane.faults.take(call.method, call.args);
    await strike(before);
    if (before?.skip !== undefined) return (await before.skip(plane, call.args)) as T;
    const answer = await call.act(after === undefined);
    if (after?.change !== undefined) return after.change(answer, call.args, plane) as T;
    await strike(after);
    return answer;
  } finally {
    work.end();
  }
}

/** Whatever the server does, a call ends when its client is closed, its plane disposed of, or its deadline over. */
function withinDeadline<T>(running: Promise<T>, deadline: Call<T>["deadline"], caller: Caller): Promise<T> {
  return new Promise((resolve, reject) => {
    const gone = (): void => {
      end(() => {
        reject(new APIConnectionError("connection closed", 14));
      });
    };
    const timer =
      deadline === undefined
        ? undefined
        : setTimeout(
            () => {
              deadline.expired();
              end(() => {
                reject(new BoxdError(deadline.message));
              });
            },
            Math.min(deadline.ms, 2_147_483_647),
          );
    const signals = [caller.closed, caller.plane.closing.signal];
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", gone);
      settle();
    };
    for (const signal of signals) signal.addEventListener("abort", gone);
    running.then(
      (answer) => {
        end(() => {
          resolve(answer);
        });
      },
      (error: unknown) => {
        end(() => {
          reject(error);
        });
      },
    );
  });
}
