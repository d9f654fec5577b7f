import { ours } from "../base/shown-text.ts";
import { USAGE } from "./exit-status.ts";
import { main } from "./main.ts";
import { processIo } from "./process-streams.ts";

/** {@link main} for whoever brings streams of their own, as the build does. */
export { main as runWith } from "./main.ts";

/** The working directory; null when it was removed under the shell that still stands in it. */
function workingDirectory(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

/** Runs a command line with the real streams of this process; resolves to the exit status. */
export function runProcess(argv: readonly string[]): Promise<number> {
  const cwd = workingDirectory();
  const io = processIo(argv, cwd ?? "/");
  if (cwd !== null) return main(io);
  io.stderr.write(ours("error: the working directory does not exist any longer: change to another one\n"));
  return Promise.resolve(USAGE);
}
