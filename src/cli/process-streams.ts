import { writeSync } from "node:fs";
import { USAGE } from "./exit-status.ts";
import { directOutput } from "./direct-output.ts";
import type { EndingSignal, ProcessIo, Output } from "./process-io.ts";

/**
 * Ends quietly what a reader that closed its pipe (`| head -1`) would make noisy; what is written after it is dropped. A
 * full disk is no fault of ours: nobody must take half an output for all of it, so the run ends here.
 */
function endOnFault(error: NodeJS.ErrnoException, descriptor: number): void {
  if (error.code === "EPIPE") return;
  if (descriptor !== 2) sayOnStderr(`error: the output cannot be written (${error.code ?? error.name})\n`);
  if (!outlives) process.exit(USAGE);
}

/** Stderr may be on the same full disk. */
function sayOnStderr(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // Nobody is left to be told.
  }
}

let outlives = false;

/** A file that reaches its limit ends the process by a signal, unless somebody hears it; the write then fails. */
function outliveOutput(): void {
  outlives = true;
  process.on("SIGXFSZ", () => undefined);
}

/** One Ctrl-C may arrive twice: from the terminal, and passed on by the npm or npx that runs this program. */
const ECHO_MS = 1_000;
const ENDING_SIGNALS: readonly EndingSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

let lastHeard = -Infinity;

function interrupted(until?: AbortSignal): Promise<EndingSignal> {
  const since = performance.now();
  return new Promise((resolve) => {
    const ignore = (): void => {
      for (const signal of ENDING_SIGNALS) process.removeListener(signal, heard);
    };
    const heard = (signal: EndingSignal): void => {
      const now = performance.now();
      if (lastHeard < since && now - lastHeard < ECHO_MS) return;
      if (lastHeard < since) lastHeard = now;
      resolve(signal);
      // Not at once: the echo would end the process in the middle of its clean-up.
      setTimeout(ignore, ECHO_MS).unref();
    };
    for (const signal of ENDING_SIGNALS) process.on(signal, heard);
    const giveUp = (): void => {
      if (lastHeard < since) ignore();
    };
    until?.addEventListener("abort", giveUp, { once: true });
  });
}

function terminal(name: "stdout" | "stderr", descriptor: number): Output {
  const stream = process[name].on("error", (error) => endOnFault(error, descriptor));
  return {
    write: ({ text }) => stream.write(text),
    isTTY: stream.isTTY,
    get columns() {
      return stream.columns;
    },
  };
}

/** A stream of this process, set up when something is first written to it: most runs write to one of the two. */
function streamOf(name: "stdout" | "stderr"): () => Output {
  const descriptor = name === "stdout" ? 1 : 2;
  let output: Output | undefined;
  return () => {
    output ??= directOutput(descriptor, endOnFault, outlives) ?? terminal(name, descriptor);
    return output;
  };
}

/** The real streams of this process, for a command line. */
export function processIo(argv: readonly string[], cwd: string): ProcessIo {
  const stdout = streamOf("stdout");
  const stderr = streamOf("stderr");
  return {
    argv,
    cwd,
    env: process.env,
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return stdout();
    },
    get stderr() {
      return stderr();
    },
    interrupted,
    outliveOutput,
  };
}
