import type { ExecParams, ExecResult, ExecStream, Machines } from "./client.ts";
import { beginning, withoutHalfCharacter } from "./cut-text.ts";

/**
 * Told what a command writes while it runs: the pieces of each stream in order, 1 to 65,536 UTF-16 units each, no character in half, none twice. Together
 * they are the outcome's text, and all come before it. What it throws is ignored.
 */
export type OnOutput = (stream: OutputName, text: string) => void;
type OutputName = "stdout" | "stderr";

const MOST_UNITS = 65_536;

/** The output of one command: shown as it comes, and kept for the outcome. */
export class LiveOutput {
  readonly #mark: string;
  readonly #onOutput: OnOutput;
  #written = { stdout: new Written(), stderr: new Written() };
  #stream: ExecStream | undefined;
  #isOver = false;

  /** `token` marks the runner's own words on standard error, which are not the command's */
  constructor(token: string, onOutput: OnOutput) {
    this.#mark = `${token}:`;
    this.#onOutput = onOutput;
  }

  /** Runs the call for the command. Where the SDK has no streams its output is shown when it has ended. */
  async run(machines: Machines, id: string, params: ExecParams): Promise<ExecResult> {
    if (machines.streamExec === undefined) return machines.exec(id, params);
    // A second try runs nothing when the first has begun; should it nevertheless, nothing is shown twice.
    this.#isOver = this.#isOver || this.#written.stdout.shown + this.#written.stderr.shown > 0;
    this.#written = { stdout: new Written(), stderr: new Written() };
    // It has no time of its own: `end` closes it.
    const stream = machines.streamExec(id, { command: params.command, closeStdin: true });
    this.#stream = stream;
    const follow = async (name: OutputName): Promise<void> => {
      const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
      for await (const bytes of stream[name]) this.#take(name, decoder.decode(bytes, { stream: true }));
      this.#take(name, decoder.decode());
    };
    const [exitCode] = await Promise.all([stream.wait(), follow("stdout"), follow("stderr")]);
    this.#stream = undefined;
    return { ...this.soFar(), exitCode };
  }

  /** What has come of a call that has not ended. */
  soFar(): Pick<ExecResult, "stdout" | "stderr"> {
    const { stdout, stderr } = this.#written;
    return { stdout: stdout.text, stderr: stderr.text };
  }

  /** Shows what the outcome has beyond what was shown. */
  finish(outcome: Pick<ExecResult, "stdout" | "stderr">): void {
    for (const name of ["stdout", "stderr"] as const) this.#show(name, outcome[name].slice(this.#written[name].shown));
  }

  /** Nothing is shown afterwards, and a call that still runs is given up. */
  end(): void {
    this.#isOver = true;
    try {
      this.#stream?.close();
    } catch {
      // It was to be got rid of.
    }
  }

  #take(name: OutputName, text: string): void {
    const written = this.#written[name];
    written.text += text;
    if (written.isHeld) return;
    written.waiting += text;
    const { waiting } = written;
    const end = name === "stderr" ? this.#endOfOwn(waiting) : waiting.length;
    written.isHeld = name === "stderr" && waiting.startsWith(this.#mark, end);
    // An outcome that was cut leaves out such an end.
    const ready = withoutHalfCharacter(waiting.slice(0, end));
    written.waiting = waiting.slice(ready.length);
    this.#show(name, ready);
  }

  /** Where the runner's words begin, or may be about to. */
  #endOfOwn(text: string): number {
    const at = text.indexOf(this.#mark);
    if (at >= 0) return at;
    for (let length = Math.min(this.#mark.length - 1, text.length); length > 0; length -= 1)
      if (text.endsWith(this.#mark.slice(0, length))) return text.length - length;
    return text.length;
  }

  #show(name: OutputName, text: string): void {
    for (let rest = text; rest !== "" && !this.#isOver;) {
      const piece = beginning(rest, MOST_UNITS);
      rest = rest.slice(piece.length);
      this.#written[name].shown += piece.length;
      try {
        this.#onOutput(name, piece);
      } catch {
        // The command goes on, whatever becomes of the showing.
      }
    }
  }
}

/** One stream of a command. Lengths are in UTF-16 units. */
class Written {
  text = "";
  /** the end of `text` that has not been judged yet */
  waiting = "";
  /** so much of `text` was shown */
  shown = 0;
  /** the runner's words may have begun: the rest is shown with the outcome, which is without them */
  isHeld = false;
}
