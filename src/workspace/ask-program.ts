import { type SystemError, systemError } from "../base/system-error.ts";
import { type ProgramOptions, type ProgramResult, runProgram } from "./run-program.ts";

/** How a program is asked. */
export interface AskProgramOptions extends ProgramOptions {
  readonly env: NodeJS.ProcessEnv;
  /** How long it may take, in milliseconds: what it asks may be a network away, and some wait for their user. */
  readonly limitMs: number;
}

/** Why a program gave no answer at all: it is not on PATH, it took too long, or the system refused to start it. */
export type NoAnswer =
  { readonly why: "missing" } | { readonly why: "late" } | { readonly why: "refused"; readonly refused: SystemError };

/** What keeps programs from asking back, paging, colouring, and looking for a newer version of themselves: nobody sits before them. */
const QUIET = {
  ...{ AWS_PAGER: "", AWS_CLI_AUTO_PROMPT: "off", NO_COLOR: "1" },
  ...{ FLY_NO_UPDATE_CHECK: "1", DOCKER_CLI_HINTS: "false" },
};

/**
 * Asks a program that only reads, with a time limit, by an argument list. It and what it started are ended at the limit.
 *
 * @throws the signal's reason once that is aborted
 */
export async function askProgram(
  program: string,
  args: readonly string[],
  { env, limitMs, signal, ...options }: AskProgramOptions,
): Promise<ProgramResult | NoAnswer> {
  const limit = AbortSignal.timeout(limitMs);
  const ends = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  try {
    return await runProgram(program, args, { ...options, env: { ...env, ...QUIET }, signal: ends });
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.aborted) return { why: "late" };
    const refused = systemError(error);
    if (refused === null) throw error;
    return error instanceof Error && "code" in error && error.code === "ENOENT"
      ? { why: "missing" }
      : { why: "refused", refused };
  }
}
