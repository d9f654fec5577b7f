import type { ExecResult, Machine } from "../../../src/boxd/driver/client.ts";
import { grpcError } from "./errors.ts";
import type { Fault, Strike } from "./faults.ts";

export * from "./circumstances.ts";
export * from "./stale-listings.ts";

/** A call is refused or lost before anything happened. */
export function refused(method: string, code: number, message = "unavailable", strike: Strike = {}): Fault {
  return { ...strike, method, when: "before", error: () => grpcError(code, message) };
}

const LOST = { 1: "cancelled", 4: "deadline exceeded", 10: "aborted", 14: "unavailable" } as const;

/** A call has its effect and the answer is lost: CANCELLED, DEADLINE_EXCEEDED, ABORTED or UNAVAILABLE. */
export function answerLost(method: string, code: keyof typeof LOST, strike: Strike = {}): Fault {
  return { ...strike, method, when: "after", error: () => grpcError(code, LOST[code]) };
}

/** `create` makes the machine and then cannot read it: the SDK's follow-up get finds nothing. */
export function createReadFails(strike: Strike = {}): Fault {
  return { ...strike, method: "machines.create", when: "after", error: () => grpcError(5, "VM not found") };
}

/** `create` makes the machine, cannot read it, and answers the little that the first of its two calls told. */
export function createAnswersLittle(strike: Strike = {}): Fault {
  return {
    ...strike,
    method: "machines.create",
    change: (answer) => {
      const { id, name } = answer as Machine;
      return { id, name, status: "pending", labels: {}, networking: { isolated: false }, deleteAt: null };
    },
  };
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

/** The command runs, its stream ends without an exit status, and the answer has none. */
export function exitStatusMissing(strike: Strike = {}): Fault {
  return {
    ...strike,
    method: "machines.exec",
    change: (answer) => ({ ...(answer as ExecResult), exitCode: undefined, success: undefined }),
  };
}

/** Output that was decoded in pieces of so many bytes: a character that falls on a border is lost. */
export function charactersSplit(bytes: number, strike: Strike = {}): Fault {
  const split = (text: string): string => {
    const whole = Buffer.from(text);
    return Array.from({ length: Math.ceil(whole.length / bytes) }, (_, piece) =>
      whole.subarray(piece * bytes, (piece + 1) * bytes).toString("utf8"),
    ).join("");
  };
  return {
    ...strike,
    method: "machines.exec",
    change: (answer) => ({
      ...(answer as ExecResult),
      stdout: split((answer as ExecResult).stdout),
      stderr: split((answer as ExecResult).stderr),
    }),
  };
}

/** The command runs and its stream ends without an exit status. */
export function exitStatusLost(strike: Strike = {}): Fault {
  return {
    ...strike,
    method: "machines.exec",
    change: (answer) => ({ ...(answer as ExecResult), exitCode: -1, success: false }),
  };
}

/** The command runs, and its stream ends well in the middle of what it wrote: the status is that of the last chunk of output, which says 0. */
export function streamCut(strike: Strike = {}): Fault {
  const half = (text: string): string =>
    Buffer.from(text)
      .subarray(0, Math.floor(Buffer.byteLength(text) / 2))
      .toString();
  return {
    ...strike,
    method: "machines.exec",
    change: (answer) => {
      const result = answer as ExecResult;
      return cutAnswer(half(result.stdout), half(result.stderr));
    },
  };
}

/** The stream ends well after `stdout`, while the command runs on. */
export function streamCutEarly(stdout: string, strike: Strike = {}): Fault {
  return {
    ...strike,
    method: "machines.exec",
    skip: (plane, args) => {
      const [id, { command }] = args as [string, { command: string }];
      void plane.find(id).exec(command);
      return cutAnswer(stdout, "");
    },
  };
}

function cutAnswer(stdout: string, stderr: string): ExecResult & { success: boolean } {
  const success = stdout !== "" || stderr !== "";
  return { stdout, stderr, exitCode: success ? 0 : -1, success };
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

/** An upload writes a byte less, and says so or not. */
export function cutUpload(admits: boolean, strike: Strike = {}): Fault {
  return {
    ...strike,
    method: "machines.files.upload",
    skip: (plane, args) => {
      const [id, path, data] = args as [string, string, Uint8Array];
      const written = plane.find(id).upload(path, data.subarray(0, -1));
      return admits ? written : data.length;
    },
  };
}

/** A download answers less than the file. */
export function shortDownload(strike: Strike = {}): Fault {
  return { ...strike, method: "machines.files.download", change: (data) => (data as Uint8Array).subarray(0, -1) };
}
