import { Deadline } from "./deadline.ts";
import type { ExecResult } from "./client.ts";
import { toDriverError, call, type DriverContext } from "./call.ts";
import { envFile } from "./env-file.ts";
import { BoxdDriverError, classifyError, isStoppedRefusal } from "./errors.ts";
import { killScript, RUNNER_FAILED, runnerScript, sizesPattern, type RunPlan, type StagedName } from "./exec-script.ts";
import { runInGuest, hasStatus, removeQuietly, sendParts } from "./guest.ts";
import { runToken } from "./names.ts";
import { shellQuote, shellWords } from "./shell.ts";
import { startAgain, wake } from "./wake.ts";

/** One command. Its deadline is the budget of the call, which also covers waking the machine and staging. */
export interface ExecRequest {
  /** words, each passed on exactly as it is; or a script for `sh` */
  command: readonly string[] | string;
  /** absolute; the machine user's home when omitted. A directory that does not exist is an `invalid` error */
  cwd?: string;
  /** for this command only; staged as a 0600 file, never on a command line */
  env?: Readonly<Record<string, string>>;
  /** staged as a 0600 file; the command reads its end after it, and at once when there is none */
  stdin?: string | Uint8Array;
}

/** How a command ended. What it wrote until then is kept in every case in which the machine could still hand it over. */
export type ExecOutcome =
  | {
      ended: "exit";
      exitCode: number;
      stdout: string;
      stderr: string;
      /** only when the end of one of the two was lost on the way, or may have been */
      isCut?: true;
    }
  | {
      ended: "timeout" | "abort";
      exitCode: null;
      stdout: string;
      stderr: string;
      /** true when the machine confirmed that nothing of the command's process group runs (or it never began) */
      groupGone: boolean;
    };

/** The guest waits this much longer than the caller before it ends a command by itself. */
const GUEST_GRACE_MS = 5_000;
/** A longer command line is staged as a file: one argument holds at most 128 KiB, and the runner quotes it twice. */
const MAX_COMMAND_BYTES = 24 * 1024;

/**
 * Runs a command at most once, with its exact exit status and split streams. It is sent again only after a refusal that names a stopped machine;
 * should the command have begun nevertheless, the second try finds its mark and runs nothing, and that is a lost answer too. A lost answer is an error
 * of kind `transient` (the command is then ended, not repeated); a deadline or abort kills the whole process group and is an outcome, not an error.
 */
export async function exec(
  context: DriverContext,
  id: string,
  request: ExecRequest,
  budget: Deadline,
): Promise<ExecOutcome> {
  const inputs = stagedInputs(request);
  const hiding = hidingInputs(context, request);
  try {
    await wake(hiding, id, budget);
    // The same directory for both tries: the second overwrites what the first had staged.
    const token = runToken();
    try {
      return await attempt(hiding, id, token, request, inputs, budget);
    } catch (error) {
      if (!isStoppedRefusal(error)) throw error;
      await startAgain(hiding, id, budget);
      return await attempt(hiding, id, token, request, inputs, budget);
    }
  } catch (error) {
    const { kind } = classifyError(error);
    // Only the budget makes these two, and `attempt` has dealt with a command that had begun.
    if (kind === "timeout" || kind === "aborted") return notBegun(kind);
    throw toDriverError(hiding, `command in machine ${id}`, error);
  }
}

/** For this command its environment and input are secrets as well. */
function hidingInputs(context: DriverContext, request: ExecRequest): DriverContext {
  const hidden = Object.values(request.env ?? {});
  if (request.stdin !== undefined)
    hidden.push(typeof request.stdin === "string" ? request.stdin : Buffer.from(request.stdin).toString("utf8"));
  return { ...context, secrets: [...context.secrets, ...hidden] };
}

function stagedInputs(request: ExecRequest): Map<StagedName, Uint8Array> {
  const inputs = new Map<StagedName, Uint8Array>();
  const line = typeof request.command === "string" ? request.command : shellWords(request.command);
  if (line === "" || line.includes("\0"))
    throw new BoxdDriverError({ kind: "invalid" }, "a command must not be empty or contain a NUL character");
  if (Buffer.byteLength(line) > MAX_COMMAND_BYTES)
    inputs.set("cmd", Buffer.from(typeof request.command === "string" ? line : `exec ${line}`));
  // Before anything is staged: what is refused later would leave the staged files behind.
  if (request.cwd !== undefined && (!request.cwd.startsWith("/") || request.cwd.includes("\0"))) {
    throw new BoxdDriverError(
      { kind: "invalid" },
      `working directory "${request.cwd.replaceAll("\0", "")}" is not an absolute path`,
    );
  }
  if (request.env !== undefined && Object.keys(request.env).length > 0)
    inputs.set("env", Buffer.from(envFile(request.env)));
  if (request.stdin !== undefined && request.stdin.length > 0) inputs.set("in", Buffer.from(request.stdin));
  return inputs;
}

async function attempt(
  context: DriverContext,
  id: string,
  token: string,
  request: ExecRequest,
  inputs: ReadonlyMap<StagedName, Uint8Array>,
  budget: Deadline,
): Promise<ExecOutcome> {
  const dir = `${context.home}/.qm-deploy/run/${token}`;
  const staged: RunPlan["staged"] = await stage(context, id, dir, inputs, budget);
  const limitSeconds = Math.ceil((budget.remaining() + context.times.settleMs + GUEST_GRACE_MS) / 1000);
  const begun = `${context.home}/.qm-deploy/${token}.begun`;
  const command = runnerScript({ token, dir, begun, command: request.command, cwd: request.cwd, staged, limitSeconds });
  const timeout = Math.ceil(budget.remaining() + context.times.settleMs);
  // Kept beside the race: after the deadline its answer is still wanted, for what the command had written.
  let running: Promise<ExecResult> | undefined;
  try {
    const result = await call(
      context,
      budget,
      `command in machine ${id}`,
      () => (running = context.client.machines.exec(id, { command, timeout })),
    );
    return exited(id, token, request, result);
  } catch (error) {
    return await endEarly(context, id, { token, dir, request, staged: staged.size > 0, running }, error);
  }
}

async function stage(
  context: DriverContext,
  id: string,
  dir: string,
  inputs: ReadonlyMap<StagedName, Uint8Array>,
  budget: Deadline,
): Promise<Map<StagedName, { size: number; parts: number }>> {
  const staged = new Map<StagedName, { size: number; parts: number }>();
  if (inputs.size === 0) return staged;
  try {
    const made = await runInGuest(
      context,
      id,
      "make a run directory",
      `umask 077; mkdir -p ${shellQuote(dir)}`,
      budget,
    );
    if (made.exitCode !== 0)
      throw new BoxdDriverError({ kind: "unknown" }, `machine ${id}: the run directory could not be made`);
    for (const [name, bytes] of inputs) {
      staged.set(name, { size: bytes.length, parts: await sendParts(context, id, `${dir}/${name}`, bytes, budget) });
    }
    return staged;
  } catch (error) {
    await removeQuietly(context, id, dir);
    throw error;
  }
}

function exited(id: string, token: string, request: ExecRequest, result: ExecResult): ExecOutcome {
  if (!hasStatus(result)) {
    throw new BoxdDriverError(
      { kind: "transient" },
      `command in machine ${id}: the stream ended without an exit status, so its outcome is unknown`,
    );
  }
  const complaint =
    result.exitCode === RUNNER_FAILED ? new RegExp(`^${token}:(\\w+)$`, "m").exec(result.stderr)?.[1] : undefined;
  if (complaint === undefined) {
    const { stdout, stderr, isWhole } = outputOf(token, result);
    return { ended: "exit", exitCode: result.exitCode, stdout, stderr, ...(isWhole ? {} : { isCut: true }) };
  }
  if (complaint === "dead") return notBegun("aborted");
  if (complaint === "begun")
    throw new BoxdDriverError(
      { kind: "transient" },
      `command in machine ${id}: the machine stopped after the command had begun`,
    );
  if (complaint === "cwd")
    throw new BoxdDriverError(
      { kind: "invalid" },
      `working directory "${request.cwd ?? ""}" cannot be entered in machine ${id}`,
    );
  throw new BoxdDriverError({ kind: "unknown" }, `machine ${id} could not prepare the command (${complaint})`);
}

/** Both streams without the runner's last line. Where that is missing, so is the end of standard error (or the runner was killed). */
function outputOf(
  token: string,
  { stdout, stderr: all }: Pick<ExecResult, "stdout" | "stderr">,
): { stdout: string; stderr: string; isWhole: boolean } {
  const sizes = sizesPattern(token).exec(all);
  if (sizes === null) return { stdout, stderr: all, isWhole: false };
  const stderr = all.slice(0, sizes.index);
  // Decoding makes text longer where it cannot read it, never shorter (but for a byte order mark).
  const isWhole = Buffer.byteLength(stdout) >= Number(sizes[1]) && Buffer.byteLength(stderr) >= Number(sizes[2]);
  return { stdout, stderr, isWhole };
}

interface Started {
  token: string;
  dir: string;
  request: ExecRequest;
  staged: boolean;
  running: Promise<ExecResult> | undefined;
}

/** The call for the command failed or ran out of time: end the command, then say what is known. */
async function endEarly(context: DriverContext, id: string, started: Started, error: unknown): Promise<ExecOutcome> {
  const { kind } = classifyError(error);
  if (isStoppedRefusal(error) || kind === "not-found") throw error;
  if (started.running === undefined || kind === "invalid" || kind === "auth") {
    // Nothing ran, but staged files lie there.
    if (started.staged) await removeQuietly(context, id, started.dir);
    throw error;
  }
  const settle = new Deadline(context.clock, context.times.settleMs);
  const word = await killGroup(context, id, started.dir, settle);
  if (kind !== "timeout" && kind !== "aborted") {
    const known = word === undefined ? "may still be running" : "is not running any more";
    throw new BoxdDriverError(
      classifyError(error),
      `${(error as Error).message}; the outcome of the command is unknown, it ${known}`,
      { cause: error },
    );
  }
  const result = await lateResult(started.running, settle);
  if (word !== "killed" && result !== undefined && hasStatus(result)) {
    if (word !== "gone") await removeQuietly(context, id, started.dir, settle);
    const outcome = exited(id, started.token, started.request, result);
    // It ended by itself in time; "dead" comes back as an abort and gets its true reason here.
    if (outcome.ended === "exit") return outcome;
    return { ...outcome, ended: kind === "timeout" ? "timeout" : "abort" };
  }
  const { stdout, stderr } = outputOf(started.token, result ?? { stdout: "", stderr: "" });
  return {
    ended: kind === "timeout" ? "timeout" : "abort",
    exitCode: null,
    stdout,
    stderr,
    groupGone: word !== undefined,
  };
}

/** What the machine says about the group, or undefined when it says nothing or that it still runs. */
async function killGroup(
  context: DriverContext,
  id: string,
  dir: string,
  settle: Deadline,
): Promise<string | undefined> {
  try {
    const word = (await runInGuest(context, id, "end the command", killScript(dir), settle)).stdout.trim();
    return word === "alive" || word === "" ? undefined : word;
  } catch {
    return undefined;
  }
}

async function lateResult(running: Promise<ExecResult>, settle: Deadline): Promise<ExecResult | undefined> {
  try {
    return await settle.race("collect the output", () => running);
  } catch {
    return undefined;
  }
}

function notBegun(kind: "timeout" | "aborted"): ExecOutcome {
  return { ended: kind === "timeout" ? "timeout" : "abort", exitCode: null, stdout: "", stderr: "", groupGone: true };
}
