import type { JsonValue } from "../base/json.ts";
import { shellWord } from "../base/shell-word.ts";
import { askProgram } from "../workspace/ask-program.ts";
import { firstLine } from "../workspace/run-program.ts";
import { parseAnswer } from "./answer.ts";

/** A platform that could not be asked. `message` holds no secret that is known; `help` says what to do. */
export class AskError extends Error {
  override readonly name = "AskError";
  readonly help: string;

  constructor(message: string, help: string) {
    super(message);
    this.help = help;
  }
}

/** What a program printed, and how it ended. */
export interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  /** Masked. */
  readonly stderr: string;
  /** The call, for messages. */
  readonly call: string;
}

/** Runs a program that only reads; `programs` are its names, the first that is on PATH is taken. */
export type Ask = (programs: readonly string[], args: readonly string[]) => Promise<Answer>;

/** Far above what a deployment of a hundred containers or machines is described in. */
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;
/** How long one answer may take: some go over the network, and page. */
const LIMIT_MS = 60_000;
/** How long after a program what it left behind may still print. */
const DRAIN_MS = 2_000;

/** Asks programs in the deployment's directory. `mask` hides the deployment's secrets in what they say of themselves. */
export function programAsker(options: {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly signal: AbortSignal;
  readonly mask: (text: string) => string;
}): Ask {
  const { mask, ...rest } = options;
  const how = { ...rest, limitMs: LIMIT_MS, maxBytes: MAX_OUTPUT_BYTES, drainMs: DRAIN_MS };
  return async (programs, args) => {
    for (const program of programs) {
      const call = [program, ...args].map(shellWord).join(" ");
      const ended = await askProgram(program, args, how);
      if ("why" in ended) {
        if (ended.why === "missing") continue;
        if (ended.why === "late")
          throw new AskError(`\`${call}\` gave no answer within ${LIMIT_MS / 1000} seconds`, TRY);
        throw new AskError(`\`${call}\` cannot be started (${ended.refused.says})`, TRY);
      }
      if (ended.isCut) throw new AskError(`\`${call}\` prints more than 32 MiB`, TRY);
      const [stdout, stderr] = [ended.stdout.toString("utf8"), mask(ended.stderr.toString("utf8"))];
      return { status: ended.status, stdout, stderr, call };
    }
    const names = programs.map((program) => `\`${program}\``).join(" or ");
    throw new AskError(`${names} is not on PATH`, "install it, or hand over saved answers with --from");
  };
}

const TRY = "run it by hand and fix what it says, or hand over saved answers with --from";

/** Why an answer is none: the first line of what the program said of itself. */
export function refusal({ call, stderr, status }: Answer): AskError {
  const line = firstLine(stderr);
  return new AskError(`\`${call}\` failed${line === "" ? ` with status ${status}` : `: ${line}`}`, TRY);
}

/**
 * The JSON that a program printed.
 *
 * @throws {AskError} where it failed
 * @throws {AnswerError} where it printed something else
 */
export function jsonOf(answer: Answer): JsonValue {
  if (answer.status !== 0) throw refusal(answer);
  return parseAnswer(answer.stdout, `what \`${answer.call}\` printed`);
}
