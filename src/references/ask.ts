import { createProseMask, redactText } from "../base/redact.ts";
import { systemError } from "../base/system-error.ts";
import { firstLine, runProgram } from "../workspace/run-program.ts";
import type { Call, NoValue, Tool } from "./tool.ts";

/** Bytes that are read of what a tool prints: a whole env file at most. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
/** How long after a tool what it left behind may still print. */
const DRAIN_MS = 500;
/** Of what a tool says of its failure this much is shown. */
const MAX_SAID = 200;

/** What a tool printed; `failure` where it ended with another status than 0. */
export interface Answer {
  readonly printed: string;
  readonly failure: NoValue | null;
}

/** How tools are run. */
export interface AskOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
  readonly limitMs: number;
  /** Values that nothing a tool says may show. */
  readonly hidden: readonly string[];
}

/** No pager, no questions, no colours: nobody sits before these programs. */
const QUIET = { AWS_PAGER: "", AWS_CLI_AUTO_PROMPT: "off", NO_COLOR: "1" };

/** Why a tool was not asked to the end; the same for whatever else it would be asked in this run. */
export class ToolUnusable extends Error {
  override readonly name = "ToolUnusable";
  readonly reason: NoValue;

  constructor(reason: NoValue) {
    super(reason.problem);
    this.reason = reason;
  }
}

/**
 * Runs a tool once, by an argument list.
 *
 * @throws {ToolUnusable} where it cannot be started, or gives no answer within the time limit
 * @throws the signal's reason once that is aborted; the tool and what it started are ended then
 */
export async function ask({ program, install, help }: Tool, call: Call, options: AskOptions): Promise<Answer> {
  const { env, signal, limitMs, hidden } = options;
  const limit = AbortSignal.timeout(limitMs);
  const ends = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  const how = { cwd: call.cwd ?? options.cwd, env: { ...env, ...QUIET }, signal: ends, maxBytes: MAX_OUTPUT_BYTES };
  const ended = await runProgram(program, call.args, { ...how, drainMs: DRAIN_MS }).catch((error: unknown) => {
    signal?.throwIfAborted();
    if (limit.aborted) throw new ToolUnusable(tooLate(program, limitMs));
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw new ToolUnusable({ problem: `is for \`${program}\`, which is not on PATH`, help: `install ${install}` });
    const refused = systemError(error);
    if (refused === null) throw error;
    throw new ToolUnusable({
      problem: `is for \`${program}\`, which cannot be started (${refused.says})`,
      help: refused.help,
    });
  });
  if (ended.isCut) return failed(program, "printed more than is read", help);
  const printed = textOf(ended.stdout);
  if (printed === null) return failed(program, "printed what is no UTF-8 text", help);
  if (ended.status === 0) return { printed, failure: null };
  const said = shownLine(ended.stderr.toString("utf8"), [...hidden, printed, ...printed.split(/\r\n?|\n/)]);
  const status = ended.status === null ? "was ended by a signal" : `failed with status ${ended.status}`;
  return { ...failed(program, said === "" ? status : `says: ${said}`, help), printed };
}

function failed(program: string, what: string, help: string): Answer & { readonly failure: NoValue } {
  return { printed: "", failure: { problem: `was not given by \`${program}\`: it ${what}`, help } };
}

function tooLate(program: string, limitMs: number): NoValue {
  return {
    problem: `was not given by \`${program}\` within ${limitMs / 1000} seconds`,
    help: `run \`${program}\` by hand: it may wait for you to sign in or unlock it, or for a network`,
  };
}

function textOf(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The first line of what a tool says of its failure, with nothing in it that may be secret, that acts on a terminal, or that ends a quotation. */
function shownLine(text: string, hidden: readonly string[]): string {
  const plain = text.replaceAll(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "").replaceAll("`", "'");
  const line = redactText(createProseMask(hidden.map((value) => value.trim())).hide(firstLine(plain)));
  return line.length <= MAX_SAID ? line : `${line.slice(0, MAX_SAID)}…`;
}
