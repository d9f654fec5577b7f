import { call, inOwnTime, toDriverError, type Operation } from "./call.ts";
import type { ExecResult } from "./client.ts";
import { withoutHalfCharacter } from "./cut-text.ts";
import { BoxdDriverError, classifyError, errorText, isStoppedRefusal } from "./errors.ts";
import { endPattern, killScript, RUNNER_FAILED, runnerScript, type RunPlan, type StagedName } from "./exec-script.ts";
import { hasStatus, piecesOf, removeQuietly, runInGuest, sendParts } from "./guest.ts";
import { LiveOutput, type OnOutput } from "./live-output.ts";
import { runToken } from "./names.ts";
import { ensureRunning, startAgain } from "./power-state.ts";
import { shellExports, shellQuote, shellWords } from "./shell.ts";

/** One command. Its deadline is that of the call, which also covers starting the machine and staging. */
export interface ExecRequest {
  /** words, each passed on exactly as it is; or a script for `sh` */
  command: readonly string[] | string;
  /** absolute; the machine user's home when omitted. A directory that does not exist is an `invalid` error */
  cwd?: string;
  /** for this command only; staged as a 0600 file, never on a command line */
  env?: Readonly<Record<string, string>>;
  /** staged as a 0600 file; the command reads its end after it, and at once when there is none */
  stdin?: string | Uint8Array;
  onOutput?: OnOutput;
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
      /**
       * true when the machine confirmed that nothing of the command's process group runs (or it never began). A child that made a session of its own
       * (`setsid`, a daemon) is in another group: nothing is known of it
       */
      groupGone: boolean;
    };

/** The guest waits this much longer than the caller before it ends a command by itself. */
const GUEST_GRACE_MS = 5_000;
/** The statuses of a command that TERM or KILL ended, the signals of `killScript`. */
const KILL_STATUSES: readonly number[] = [128 + 15, 128 + 9];
/** A longer command line is staged as a file: one argument holds at most 128 KiB, and the runner quotes it twice. */
const MAX_COMMAND_BYTES = 24 * 1024;

type Output = Pick<ExecResult, "stdout" | "stderr">;

/** A command on its way to one machine. Both tries use the same directory: the second overwrites what the first had staged. */
interface Run {
  readonly id: string;
  /** marks the runner's own complaints, see `exec-script.ts` */
  readonly token: string;
  readonly dir: string;
  /** see `RunPlan` */
  readonly begun: string;
  readonly request: ExecRequest;
  readonly inputs: ReadonlyMap<StagedName, Uint8Array>;
  /** only for a caller that wants output while the command runs */
  readonly live: LiveOutput | undefined;
}

/**
 * Runs a command at most once, with its exact exit status and split streams. It is sent again only after a refusal that names a stopped machine;
 * should the command have begun nevertheless, the second try finds its mark and runs nothing, and that is a lost answer too. A lost answer is an
 * error of kind `transient` (the command is then ended, not repeated); a deadline or abort kills the whole process group and is an outcome, not
 * an error.
 */
export async function exec(operation: Operation, id: string, request: ExecRequest): Promise<ExecOutcome> {
  const token = runToken();
  const own = `${operation.home}/.qm-deploy`;
  const [dir, begun] = [`${own}/run/${token}`, `${own}/${token}.begun`];
  const live = request.onOutput === undefined ? undefined : new LiveOutput(token, request.onOutput);
  const run: Run = { id, token, dir, begun, request, inputs: inputsOf(request), live };
  try {
    const outcome = await runOnce(hideInputs(operation, request), run);
    live?.finish(outcome);
    return outcome;
  } finally {
    live?.end();
  }
}

async function runOnce(operation: Operation, run: Run): Promise<ExecOutcome> {
  const { id } = run;
  try {
    await ensureRunning(operation, id);
    try {
      return await attempt(operation, run);
    } catch (error) {
      if (!isStoppedRefusal(error)) throw error;
      await startAgain(operation, id);
      return await attempt(operation, run);
    }
  } catch (error) {
    const { kind } = classifyError(error);
    // Only the deadline makes these two, and `attempt` has dealt with a command that had begun.
    if (kind === "timeout" || kind === "aborted") return endedEarly(kind, soFar(run), true);
    throw toDriverError(operation, `command in machine ${id}`, error);
  }
}

/** For this command its environment and input are secrets as well. */
function hideInputs(operation: Operation, { env = {}, stdin }: ExecRequest): Operation {
  const input = stdin === undefined ? [] : [Buffer.from(stdin).toString("utf8")];
  return { ...operation, secrets: [...operation.secrets, ...Object.values(env), ...input] };
}

/** Judged before anything is staged: what is refused later would leave the staged files behind. */
function inputsOf({ command, cwd, env = {}, stdin = "" }: ExecRequest): Map<StagedName, Uint8Array> {
  const inputs = new Map<StagedName, Uint8Array>();
  const line = typeof command === "string" ? command : shellWords(command);
  if (line === "" || line.includes("\0"))
    throw new BoxdDriverError("invalid", "a command must not be empty or contain a NUL character");
  if (cwd !== undefined && (!cwd.startsWith("/") || cwd.includes("\0")))
    throw new BoxdDriverError("invalid", `working directory "${cwd.replaceAll("\0", "")}" is not an absolute path`);
  if (Buffer.byteLength(line) > MAX_COMMAND_BYTES)
    inputs.set("cmd", Buffer.from(typeof command === "string" ? line : `exec ${line}`));
  if (Object.keys(env).length > 0) inputs.set("env", Buffer.from(shellExports(env)));
  if (stdin.length > 0) inputs.set("in", Buffer.from(stdin));
  return inputs;
}

async function attempt(operation: Operation, run: Run): Promise<ExecOutcome> {
  const { id, token, dir, begun, request } = run;
  const { client, deadline, times } = operation;
  const staged = await stage(operation, run);
  const timeout = Math.ceil(deadline.remaining() + times.settleMs);
  const command = runnerScript({
    token,
    dir,
    begun,
    command: request.command,
    cwd: request.cwd,
    staged,
    limitSeconds: Math.ceil((timeout + GUEST_GRACE_MS) / 1000),
  });
  // Kept beside the race: after the deadline its answer is still wanted, for what the command had written.
  let running: Promise<ExecResult> | undefined;
  try {
    const params = { command, timeout };
    const send = (): Promise<ExecResult> =>
      (running = run.live?.run(client.machines, id, params) ?? client.machines.exec(id, params));
    const told = toldBy(run, await call(operation, `command in machine ${id}`, send));
    return exited(run, hasStatus(told) ? told : { ...told, exitCode: await recordedStatus(operation, run) });
  } catch (error) {
    return await endEarly(operation, run, running, error);
  }
}

async function stage(operation: Operation, { id, dir, inputs }: Run): Promise<RunPlan["staged"]> {
  const staged = new Map<StagedName, { size: number; parts: number }>();
  if (inputs.size === 0) return staged;
  try {
    const make = `umask 077; mkdir -p ${shellQuote(dir)}`;
    const { exitCode } = await runInGuest(operation, id, "make a run directory", make);
    if (exitCode !== 0) throw new BoxdDriverError("unknown", `machine ${id}: the run directory could not be made`);
    for (const [name, bytes] of inputs)
      staged.set(name, {
        size: bytes.length,
        parts: await sendParts(operation, id, `${dir}/${name}`, piecesOf(bytes)),
      });
    return staged;
  } catch (error) {
    await removeQuietly(inOwnTime(operation, operation.times.settleMs), id, dir);
    throw error;
  }
}

/**
 * The answer with the exit status of the runner's last line. Without that line 0 is none: where a stream is cut the SDK takes the status of the last
 * chunk of output, which is 0 (docs/contract/boxd.md#commands).
 */
function toldBy({ token }: Run, result: ExecResult): ExecResult {
  const status = endPattern(token).exec(result.stderr)?.[3];
  if (status !== undefined) return { ...result, exitCode: Number(status) };
  return result.exitCode === 0 ? { ...result, exitCode: -1 } : result;
}

/** The status that the runner left in the machine, negative when it left none: the command may still run. */
async function recordedStatus(operation: Operation, { id, begun }: Run): Promise<number> {
  const read = `cat ${shellQuote(begun)} 2>/dev/null`;
  const { stdout } = await runInGuest(operation, id, "read the exit status", read);
  return /^\d+$/.test(stdout) ? Number(stdout) : -1;
}

/** The outcome that the runner's answer tells, or the error that its complaint means. */
function exited({ id, token, request }: Run, result: ExecResult): ExecOutcome {
  const lost = (why: string) => new BoxdDriverError("transient", `command in machine ${id}: ${why}`);
  // The status that says so may be lost.
  const mayComplain = result.exitCode === RUNNER_FAILED || !hasStatus(result);
  const complaint = mayComplain ? new RegExp(`^${token}:(\\w+)$`, "m").exec(result.stderr)?.[1] : undefined;
  switch (complaint) {
    case undefined: {
      if (!hasStatus(result)) throw lost("the stream ended without an exit status, so its outcome is unknown");
      const { stdout, stderr, isWhole } = outputOf(token, result);
      return { ended: "exit", exitCode: result.exitCode, stdout, stderr, ...(isWhole ? {} : { isCut: true }) };
    }
    case "dead":
      return endedEarly("aborted", { stdout: "", stderr: "" }, true);
    case "begun":
      throw lost("the machine stopped after the command had begun");
    case "cwd":
      throw new BoxdDriverError("invalid", `working directory "${request.cwd}" cannot be entered in machine ${id}`);
    default:
      throw new BoxdDriverError("unknown", `machine ${id} could not prepare the command (${complaint})`);
  }
}

/**
 * Both streams without the runner's last line. Where that is missing, so is the end of standard error (or the runner was killed). A stream that
 * is not whole ends with a whole character.
 */
function outputOf(token: string, { stdout, stderr: all }: Output) {
  const end = endPattern(token).exec(all);
  const stderr = all.slice(0, end?.index);
  // Decoding makes text longer where it cannot read it, never shorter (but for a byte order mark).
  const fits = (text: string, size: string | undefined): boolean =>
    size !== undefined && Buffer.byteLength(text) >= Number(size);
  const [outFits, errFits] = [fits(stdout, end?.[1]), fits(stderr, end?.[2])];
  return {
    stdout: outFits ? stdout : withoutHalfCharacter(stdout),
    stderr: errFits ? stderr : withoutHalfCharacter(stderr),
    isWhole: outFits && errFits,
  };
}

/** The call for the command failed or ran out of time: ends the command, then says what is known. */
async function endEarly(
  operation: Operation,
  run: Run,
  running: Promise<ExecResult> | undefined,
  error: unknown,
): Promise<ExecOutcome> {
  const { id, dir } = run;
  const settling = inOwnTime(operation, operation.times.settleMs);
  const { kind } = classifyError(error);
  if (isStoppedRefusal(error) || kind === "not-found") throw error;
  if (running === undefined || kind === "invalid" || kind === "auth") {
    // Nothing ran, but staged files lie there.
    if (run.inputs.size > 0) await removeQuietly(settling, id, dir);
    throw error;
  }
  const answer = await killGroup(settling, id, dir);
  if (kind !== "timeout" && kind !== "aborted") {
    const known = answer === undefined ? "may still be running" : "is not running any more";
    const message = `${errorText(error)}; the outcome of the command is unknown, it ${known}`;
    throw new BoxdDriverError(classifyError(error), message, { cause: error });
  }
  const late = running;
  const result = await settling.deadline
    .race("collect the output", async () => toldBy(run, await late))
    .catch(() => undefined);
  // The answer to a kill may be lost: asked again, it finds the command gone. What its signals leave is its doing then too.
  const isKilled = answer === "killed" || KILL_STATUSES.includes(result?.exitCode ?? 0);
  if (!isKilled && result !== undefined && hasStatus(result)) {
    if (answer !== "gone") await removeQuietly(settling, id, dir);
    const outcome = exited(run, result);
    // It ended by itself in time; "dead" comes back as an abort and gets its true reason here.
    return outcome.ended === "exit" ? outcome : endedEarly(kind, outcome, outcome.groupGone);
  }
  return endedEarly(kind, result === undefined ? soFar(run) : outputOf(run.token, result), answer !== undefined);
}

/** What the machine says about the group, or undefined when it says nothing or that it still runs. */
async function killGroup(operation: Operation, id: string, dir: string): Promise<string | undefined> {
  const asked = runInGuest(operation, id, "end the command", killScript(dir));
  const answer = await asked.then(({ stdout }) => stdout.trim()).catch(() => "");
  return answer === "alive" || answer === "" ? undefined : answer;
}

/** What is known of a command whose call does not answer. */
function soFar({ token, live }: Run): Output {
  return outputOf(token, live?.soFar() ?? { stdout: "", stderr: "" });
}

function endedEarly(kind: "timeout" | "aborted", { stdout, stderr }: Output, groupGone: boolean): ExecOutcome {
  // The end came in the middle of what it wrote.
  const [out, err] = [withoutHalfCharacter(stdout), withoutHalfCharacter(stderr)];
  return { ended: kind === "timeout" ? "timeout" : "abort", exitCode: null, stdout: out, stderr: err, groupGone };
}
