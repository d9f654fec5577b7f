import { askProgram, type NoAnswer } from "../workspace/ask-program.ts";
import type { Call, NoValue, Tool } from "./tool.ts";

/** Bytes that are read of what a tool prints: a whole env file at most. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
/** How long after a tool what it left behind may still print. */
const DRAIN_MS = 500;

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
}

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
export async function ask(tool: Tool, call: Call, options: AskOptions): Promise<Answer> {
  const { program, help } = tool;
  const how = { ...options, cwd: call.cwd ?? options.cwd, maxBytes: MAX_OUTPUT_BYTES, drainMs: DRAIN_MS };
  const ended = await askProgram(program, call.args, how);
  if ("why" in ended) throw new ToolUnusable(unusable(tool, ended, options.limitMs));
  if (ended.isCut) return failed(program, "printed more than is read", help);
  const printed = textOf(ended.stdout);
  if (printed === null) return failed(program, "printed what is no UTF-8 text", help);
  if (ended.status === 0) return { printed, failure: null };
  const said = knownWords(tool, ended.stderr.toString("utf8"));
  const status = ended.status === null ? "was ended by a signal" : `failed with status ${ended.status}`;
  return { ...failed(program, said === null ? status : `says: ${said}`, help), printed };
}

function failed(program: string, what: string, help: string): Answer & { readonly failure: NoValue } {
  return { printed: "", failure: { problem: `was not given by \`${program}\`: it ${what}`, help } };
}

function unusable({ program, install }: Tool, noAnswer: NoAnswer, limitMs: number): NoValue {
  if (noAnswer.why === "missing")
    return { problem: `is for \`${program}\`, which is not on PATH`, help: `install ${install}` };
  if (noAnswer.why === "late")
    return {
      problem: `was not given by \`${program}\` within ${limitMs / 1000} seconds`,
      help: `run \`${program}\` by hand: it may wait for you to sign in or unlock it, or for a network`,
    };
  const { refused } = noAnswer;
  return { problem: `is for \`${program}\`, which cannot be started (${refused.says})`, help: refused.help };
}

function textOf(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The words of a failure that are known to be the tool's own; null where there are none: anything else may be a secret, or a part of one. */
function knownWords({ failures }: Tool, text: string): string | null {
  return failures.exec(text)?.[0] ?? null;
}
