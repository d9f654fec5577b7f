import { createInterface } from "node:readline";
import { type Shown, shown } from "../base/shown.ts";
import { Interrupted, interruptible } from "./interrupt.ts";
import type { ProcessIo } from "./process-io.ts";

/** One of several answers. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** What is wrong with an answer; undefined for a good one. */
type Validate = (written: string | undefined) => string | undefined;

/** Ctrl-C and Ctrl-D, as a terminal in raw mode sends them. */
const ENDS = ["\u0003", "\u0004"];
const ERASES = ["\u007f", "\b"];

/** True for a terminal that cannot move its cursor, as in Emacs, or has no width, as in a container: there a question is a plain line. */
function isPlain({ env, stdout }: ProcessIo): boolean {
  return env["TERM"] === "dumb" || stdout.columns === 0;
}

/** The answer, unless the user ended the question: that ends the program as Ctrl-C does anywhere else. */
function answered<T>(answer: T): Exclude<T, symbol> {
  if (typeof answer === "symbol") throw new Interrupted("SIGINT");
  return answer as Exclude<T, symbol>;
}

/**
 * Asks for a text; an empty answer is `ready`.
 *
 * @throws {Interrupted} when the user ends the question, as every function here
 */
export async function askText(io: ProcessIo, message: Shown, ready: string, validate: Validate): Promise<string> {
  if (isPlain(io)) return plainAnswer(io, message, ready, validate);
  const { text } = await import("@clack/prompts");
  return answered(await text({ message: message.text, placeholder: ready, defaultValue: ready, validate }));
}

/** Asks for one of several answers. */
export async function askChoice(
  io: ProcessIo,
  message: Shown,
  choices: readonly Choice[],
  ready: string,
): Promise<string> {
  if (!isPlain(io)) {
    const { select } = await import("@clack/prompts");
    return answered(await select({ message: message.text, options: [...choices], initialValue: ready }));
  }
  for (const { value, label, hint } of choices)
    io.stdout.write(
      shown`  ${value}${label === value ? "" : shown`: ${label}`}${hint === undefined ? "" : shown` (${hint})`}\n`,
    );
  const values = choices.map(({ value }) => value);
  const validate: Validate = (written = "") =>
    written === "" || values.includes(written) ? undefined : `answer with one of ${values.join(", ")}`;
  return plainAnswer(io, message, ready, validate);
}

/** Asks for a value that is not shown, not even how long it is. */
export async function askSecret(io: ProcessIo, message: Shown): Promise<string> {
  if (isPlain(io)) return plainSecret(io, message);
  const { password } = await import("@clack/prompts");
  return answered(await password({ message: message.text, mask: "" }));
}

/** Asks a question that is answered with no where nothing is said. */
export async function askYesNo(io: ProcessIo, message: Shown): Promise<boolean> {
  if (!isPlain(io)) {
    const { confirm } = await import("@clack/prompts");
    return answered(await confirm({ message: message.text, initialValue: false }));
  }
  return /^y(?:es)?$/i.test(await plainAnswer(io, message, "no", () => undefined));
}

async function plainAnswer(io: ProcessIo, message: Shown, ready: string, validate: Validate): Promise<string> {
  for (;;) {
    io.stdout.write(shown`${message}${ready === "" ? "" : shown` [${ready}]`}: `);
    const line = await interruptible(io, nextLine);
    const problem = validate(line);
    if (problem === undefined) return line === "" ? ready : line;
    io.stdout.write(shown`${problem}\n`);
  }
}

/** The next line that is typed, which the terminal itself echoes. */
function nextLine(stop: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: process.stdin, terminal: false, signal: stop });
    lines.once("line", (line) => {
      resolve(line.trim());
      lines.close();
    });
    lines.once("close", () => reject(new Interrupted("SIGINT")));
  });
}

/** What is typed up to the end of the line, with the terminal's echo off. */
function plainSecret(io: ProcessIo, message: Shown): Promise<string> {
  const { stdin } = process;
  io.stdout.write(shown`${message}: `);
  stdin.setRawMode(true).setEncoding("utf8").resume();
  return new Promise((resolve, reject) => {
    let typed = "";
    const end = (): void => {
      stdin.removeListener("data", read).setRawMode(false).pause();
      io.stdout.write(shown`\n`);
    };
    const read = (piece: string): void => {
      for (const character of piece) {
        if (ENDS.includes(character)) return void (end(), reject(new Interrupted("SIGINT")));
        if (character === "\r" || character === "\n") return void (end(), resolve(typed));
        typed = ERASES.includes(character) ? typed.slice(0, -1) : typed + character;
      }
    };
    stdin.on("data", read);
  });
}
