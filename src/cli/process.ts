import { USAGE } from "./exit-status.ts";
import type { Io } from "./io.ts";
import { main } from "./main.ts";

/** {@link main} for whoever brings streams of their own, as the build does. */
export { main as runWith } from "./main.ts";

/**
 * Ends quietly what a reader that closed its pipe (`| head -1`) would make noisy; what is written after it is dropped. A
 * full disk is no fault of ours: nobody must take half an output for all of it, so the run ends here.
 */
function endOnBrokenOutput(stream: NodeJS.WriteStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    if (stream !== process.stderr) process.stderr.write(`error: the output cannot be written (${error.code ?? error.name})\n`);
    process.exit(USAGE);
  });
}

/** The working directory; null when it was removed under the shell that still stands in it. */
function workingDirectory(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}

/** Runs a command line with the real streams of this process; resolves to the exit status. */
export function runProcess(argv: readonly string[]): Promise<number> {
  endOnBrokenOutput(process.stdout);
  endOnBrokenOutput(process.stderr);
  const cwd = workingDirectory();
  if (cwd === null) {
    process.stderr.write("error: the working directory does not exist any longer: change to another one\n");
    return Promise.resolve(USAGE);
  }
  const io: Io = {
    argv,
    cwd,
    env: process.env,
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    interrupted,
  };
  return main(io);
}
