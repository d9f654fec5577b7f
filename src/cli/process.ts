import type { Io } from "./io.ts";
import { main } from "./main.ts";

/** {@link main} for whoever brings streams of their own, as the build does. */
export { main as runWith } from "./main.ts";

/** Ends quietly what a reader that closed its pipe (`| head -1`) would make noisy; what is written after it is dropped. */
function ignoreBrokenPipe(stream: NodeJS.WriteStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}

/** Runs a command line with the real streams of this process; resolves to the exit status. */
export function runProcess(argv: readonly string[]): Promise<number> {
  ignoreBrokenPipe(process.stdout);
  ignoreBrokenPipe(process.stderr);
  const io: Io = {
    argv,
    cwd: process.cwd(),
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
