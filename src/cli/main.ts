import { COMMANDS } from "./commands/index.ts";
import { INTERNAL, INTERRUPTED, PASSED, USAGE } from "./exit-status.ts";
import { internalErrorReport } from "./internal-error.ts";
import { Interrupted } from "./interrupt.ts";
import type { ProcessIo } from "./process-io.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import { VERSION } from "./version.ts";

/** Runs one command line; resolves to the exit status. Never throws. */
export async function main(io: ProcessIo): Promise<number> {
  try {
    const parsed = parseCommandLine(io, COMMANDS, VERSION);
    if (parsed.kind !== "command") return parsed.kind === "printed" ? PASSED : USAGE;
    const { load } = parsed.spec;
    if (load === undefined) return USAGE;
    return await (await load()).run(parsed.invocation);
  } catch (error) {
    if (error instanceof Interrupted) {
      io.stderr.write("error: interrupted\n");
      return INTERRUPTED[error.signal];
    }
    io.stderr.write(internalErrorReport(error));
    return INTERNAL;
  }
}
