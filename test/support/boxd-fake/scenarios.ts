import type { ExecResult, Machine } from "../../../src/boxd/client.ts";
import { grpcError } from "./errors.ts";
import type { Fault } from "./faults.ts";

/** What a scenario may narrow: from which matching call on, and how often. */
export type Strike = Pick<Fault, "nth" | "times" | "where">;

/** A call is refused or lost before anything happened. */
export function refused(method: string, code: number, message = "unavailable", strike: Strike = {}): Fault {
  return { ...strike, method, when: "before", error: () => grpcError(code, message) };
}

/** A call has its effect and the answer is lost: DEADLINE_EXCEEDED, UNAVAILABLE, or whatever `code` says. */
export function answerLost(method: string, code: 4 | 14, strike: Strike = {}): Fault {
  return { ...strike, method, when: "after", error: () => grpcError(code, code === 4 ? "deadline exceeded" : "unavailable") };
}

/** `create` makes the machine and then cannot read it: the SDK's follow-up get finds nothing. */
export function createReadFails(strike: Strike = {}): Fault {
  return { ...strike, method: "machines.create", when: "after", error: () => grpcError(5, "VM not found") };
}

/** A call never answers; with `when: "after"` it has had its effect. */
export function stalled(method: string, when: "before" | "after", strike: Strike = {}): Fault {
  return { ...strike, method, when, stall: true };
}

/** A listing lacks the machines that `hidden` names: a stale replica, or a page that was not asked for. */
export function listHides(hidden: (machine: Machine) => boolean, strike: Strike = {}): Fault {
  return { ...strike, method: "machines.list", change: (rows) => (rows as Machine[]).filter((row) => !hidden(row)) };
}

/** A listing shows rows that are not (or no longer) there, or that belong to another org. */
export function listShows(extra: readonly Machine[], strike: Strike = {}): Fault {
  return { ...strike, method: "machines.list", change: (rows) => [...(rows as Machine[]), ...extra] };
}

/** `get` denies a machine that exists: one stale read. */
export function getDenies(strike: Strike = {}): Fault {
  return { ...strike, method: "machines.get", when: "after", error: () => grpcError(5, "VM not found") };
}

/** A delete is acknowledged and never happens. */
export function deleteIgnored(strike: Strike = {}): Fault {
  return { ...strike, method: "machines.delete", when: "before", skip: () => undefined };
}

/** The command runs and its stream ends without an exit status. */
export function exitStatusLost(strike: Strike = {}): Fault {
  return { ...strike, method: "machines.exec", change: (answer) => ({ ...(answer as ExecResult), exitCode: -1, success: false }) };
}

/** Standard output ends after `bytes`, in the middle of a character if it falls so. */
export function outputCut(bytes: number, strike: Strike = {}): Fault {
  return {
    ...strike,
    method: "machines.exec",
    change: (answer) => {
      const result = answer as ExecResult;
      return { ...result, stdout: Buffer.from(result.stdout).subarray(0, bytes).toString("utf8") };
    },
  };
}

/** An upload writes everything but answers fewer bytes. */
export function shortUpload(strike: Strike = {}): Fault {
  return { ...strike, method: "machines.files.upload", change: (written) => Math.max(0, (written as number) - 1) };
}

/** A download answers less than the file. */
export function shortDownload(strike: Strike = {}): Fault {
  return { ...strike, method: "machines.files.download", change: (data) => (data as Uint8Array).subarray(0, -1) };
}
