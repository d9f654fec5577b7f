import { PassThrough } from "node:stream";
import type { ExecParams, ExecResult, ExecStream, StreamExecParams } from "../../../src/boxd/driver/client.ts";
import { PortViolation } from "./errors.ts";
import type { Finished, Streams } from "./exec.ts";
import { execStream, type Show } from "./exec-stream.ts";
import { invoke, type Caller } from "./invoke.ts";
import { sharedController } from "./signals.ts";
import { checkArity, checkObject, checkText, is } from "./shape.ts";

/** `streams` are those of a caller that is shown output as it comes; the answer has it all in any case. */
export function execCall(
  caller: Caller,
  args: [id: string, params: ExecParams],
  streams?: Required<Streams>,
): Promise<ExecResult> {
  const { plane } = caller;
  const timeout = (args[1] as ExecParams | undefined)?.timeout;
  const abandoned = new AbortController();
  const expired = (): void => {
    if (plane.quirks.deadlineKills) abandoned.abort();
  };
  return invoke(caller, {
    method: "machines.exec",
    args,
    shape: () => {
      checkText("machines.exec id", args[0]);
      checkArity("machines.exec", args, 2);
      checkObject("machines.exec", args[1], { command: is.string, timeout: is.number }, ["command"]);
      checkText("machines.exec command", args[1].command);
      if (timeout !== undefined && !(Number.isInteger(timeout) && timeout > 0))
        throw new PortViolation("machines.exec: `timeout` is whole milliseconds above 0");
    },
    act: async (isFinal) => {
      const own: Streams = {
        abandoned: abandoned.signal,
        ...(plane.quirks.stdin === "silent" ? { input: new PassThrough() } : {}),
      };
      const { output, ...rest } = streams ?? own;
      const connected = isFinal && output !== undefined ? { ...rest, output } : rest;
      return decode(await plane.find(args[0]).exec(args[1].command, connected), plane.quirks.outputCap);
    },
    ...(timeout === undefined
      ? {}
      : { deadline: { ms: timeout, message: `exec timed out after ${String(timeout)}ms`, expired } }),
  });
}

function decode({ stdout, stderr, exitCode }: Finished, cap: number): ExecResult & { success: boolean } {
  return {
    stdout: stdout.subarray(0, cap).toString("utf8"),
    stderr: stderr.subarray(0, cap).toString("utf8"),
    exitCode,
    success: exitCode === 0,
  };
}

/** A call whose output is shown as it comes, or at its end where a fault has a say in it. Answers the exit status. */
export async function shownCall(
  caller: Caller,
  id: string,
  command: string,
  { output: show, ...rest }: Required<Streams>,
): Promise<number> {
  const { outputCap } = caller.plane.quirks;
  const left = { out: outputCap, err: outputCap };
  let hasShown = false;
  const output = (bytes: Buffer, isStderr: boolean): void => {
    const stream = isStderr ? "err" : "out";
    const shown = bytes.subarray(0, left[stream]);
    left[stream] -= shown.length;
    hasShown = true;
    if (shown.length > 0) show(shown, isStderr);
  };
  const answer = await execCall(caller, [id, { command }], { ...rest, output });
  if (!hasShown) {
    output(Buffer.from(answer.stdout), false);
    output(Buffer.from(answer.stderr), true);
  }
  return Number.isInteger(answer.exitCode) ? answer.exitCode : -1;
}

/** The SDK's `streamExec`: the same call on the wire, so that faults and records take it for `machines.exec`. */
export function execStreamCall(
  caller: Caller,
  args: [id: string, params: StreamExecParams],
  reach: () => Promise<void> = async () => undefined,
): ExecStream {
  checkArity("machines.streamExec", args, 2);
  checkObject("machines.streamExec", args[1], { command: is.string, closeStdin: is.boolean }, ["command"]);
  const [id, { command, closeStdin = false }] = args;
  return execStream(closeStdin, async (show: Show, input, abandoned) => {
    await reach();
    const ended = sharedController();
    abandoned.addEventListener("abort", () => {
      if (caller.plane.quirks.deadlineKills) ended.abort();
    });
    return shownCall(caller, id, command, { input, output: show, abandoned: ended.signal });
  });
}
