import { withoutUndefined } from "../../base/without-undefined.ts";
import { isErrorKind, type ExecOutcome, type ExecRequest, type MachineDriver } from "../driver/index.ts";
import { KILLED, PREPARE_MS, READY_MS, TIMED_OUT } from "./timeouts.ts";
import type { ExecResult, SandboxHandle } from "./sandbox.ts";

/** Programs that would wait for a person. What the machine or the handle sets itself wins. */
const NON_INTERACTIVE: readonly (readonly [name: string, value: string])[] = [
  ["PAGER", "cat"],
  ["GIT_PAGER", "cat"],
  ["GIT_EDITOR", "true"],
  ["GIT_TERMINAL_PROMPT", "0"],
  ["DEBIAN_FRONTEND", "noninteractive"],
];

/** An agent's command as a script that never waits for a person. */
export function agentScript(command: string): string {
  const defaults = NON_INTERACTIVE.map(([name, value]) => `"\${${name}:=${value}}"`);
  const names = [...NON_INTERACTIVE.map(([name]) => name), "AWS_PAGER"];
  // An empty AWS_PAGER is meant: it turns the pager off.
  return [`: ${defaults.join(" ")} "\${AWS_PAGER=}"; export ${names.join(" ")}`, command].join("\n");
}

/** One command on one machine, as a qm backend answers it. A `cwd` that is missing is made again. */
export interface CommandRequest extends Pick<ExecRequest, "cwd" | "env" | "stdin"> {
  script: string;
  timeoutMs: number;
  signal?: AbortSignal;
}

/** How it ended, and what a caller must know besides. */
export interface CommandEnd extends ExecResult {
  /** false when something of it may still run */
  groupGone: boolean;
  /** true when the end of what it wrote was lost on the way */
  isCut: boolean;
}

/**
 * Runs a command on a machine in whatever state. Starting it has a time of its own: a start of seconds must not eat up the few seconds of a short
 * command. An abort is an answer (137), not an error.
 */
export async function runCommand(driver: MachineDriver, id: string, request: CommandRequest): Promise<CommandEnd> {
  const { script, cwd, env = {}, stdin, timeoutMs, signal } = request;
  const abort = signal === undefined ? {} : { signal };
  try {
    await driver.ensureRunning(id, { timeoutMs: READY_MS, ...abort });
  } catch (error) {
    if (!isErrorKind(error, "aborted")) throw error;
    return { stdout: "", stderr: "", code: KILLED, timedOut: false, groupGone: true, isCut: false };
  }
  const command = withoutUndefined({ command: script, env, cwd, stdin });
  const run = async (): Promise<CommandEnd> => commandEnd(await driver.exec(id, command, { timeoutMs, ...abort }));
  try {
    return await run();
  } catch (error) {
    // An agent may remove its own workspace. An invalid request never ran, so it may be made again.
    if (cwd === undefined || !isErrorKind(error, "invalid")) throw error;
    await driver.makeDirectory(id, cwd, { timeoutMs: PREPARE_MS, ...abort });
    return await run();
  }
}

/** The environment of a command: the handle's, and what this one adds. */
export function envOf(handle: SandboxHandle, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { ...handle.env, ...more };
}

function commandEnd(outcome: ExecOutcome): CommandEnd {
  const { stdout, stderr } = outcome;
  if (outcome.ended === "exit") {
    const isCut = outcome.isCut === true;
    return { stdout, stderr, code: outcome.exitCode, timedOut: false, groupGone: true, isCut };
  }
  const timedOut = outcome.ended === "timeout";
  return { stdout, stderr, code: timedOut ? TIMED_OUT : KILLED, timedOut, groupGone: outcome.groupGone, isCut: false };
}
