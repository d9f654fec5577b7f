import { printable } from "../base/printable.ts";
import { WriteRefused } from "../workspace/write-file.ts";
import { USAGE } from "./exit-status.ts";
import type { ProcessIo } from "./process-io.ts";

/** Runs work that writes a file; what the file system or a rule of ours about writing says is reported, anything else is a fault of ours. */
export async function reportWriteErrors(io: ProcessIo, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (!(error instanceof WriteRefused) && syscall === undefined) throw error;
    const reason = error instanceof WriteRefused ? error.message : `the file system said ${code ?? "no"} to ${syscall}`;
    io.stderr.write(printable(`error: nothing was written: ${reason}`) + "\n");
    return USAGE;
  }
}
