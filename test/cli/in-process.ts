import { Readable } from "node:stream";
import { main } from "../../src/cli/main.ts";
import { plainEnv, type Ran, type RunOptions } from "./built.ts";
import { fakeIo } from "./fake-io.ts";

/**
 * Like `runCli`, of the sources and in this process: a tenth of its time. Not for what hangs on a process: its streams, time zone, umask or
 * temporary files, and programs that it starts, which it looks for on this process's PATH.
 */
export async function runInProcess(argv: readonly string[], options: Omit<RunOptions, "nodeArgs"> = {}): Promise<Ran> {
  const io = fakeIo(argv, {
    env: plainEnv(options.env),
    stdin: Readable.from([Buffer.from(options.input ?? "")]),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const status = await main(io);
  return { status, stdout: io.out, stderr: io.err };
}
