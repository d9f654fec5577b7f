import { ours } from "../base/shown-text.ts";
import { systemError } from "../base/system-error.ts";
import { COMMANDS } from "./commands/index.ts";
import { INTERNAL, INTERRUPTED, USAGE } from "./exit-status.ts";
import { internalErrorReport, systemRefusal } from "./internal-error.ts";
import { Interrupted } from "./interrupt.ts";
import type { ProcessIo } from "./process-io.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import { VERSION } from "./version.ts";

/** Runs one command line; resolves to the exit status. Never throws. */
export async function main(io: ProcessIo): Promise<number> {
  try {
    const invocation = parseCommandLine(io, COMMANDS, VERSION);
    if (typeof invocation === "number") return invocation;
    if ("refused" in invocation) {
      const { argumentError } = await import("./argument-error.ts");
      io.stderr.write(argumentError(invocation.refused));
      return USAGE;
    }
    const run = await invocation.command.load?.();
    return run === undefined ? USAGE : await run(invocation);
  } catch (error) {
    if (error instanceof Interrupted) {
      io.stderr.write(ours("error: interrupted\n"));
      return INTERRUPTED[error.signal];
    }
    const refused = systemError(error);
    io.stderr.write(refused === null ? internalErrorReport(error) : systemRefusal(refused));
    return refused === null ? INTERNAL : USAGE;
  }
}
