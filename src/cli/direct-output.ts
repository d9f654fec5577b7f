import { fstatSync, writeSync } from "node:fs";
import type { Output } from "./process-io.ts";

/** What `write` answers when what it was given did not reach the descriptor. */
export const LOST = "lost";

/** How long to wait for a reader that is behind, before asking again. */
const PAUSE_MS = 5;

/**
 * Writes straight to a descriptor that is a pipe (which some make of sockets) or a file, as it is in CI; null for anything else. Node's own stream
 * would do the same, for a tenth of the time that a short command takes. `fault` hears why nothing can be written; what
 * is written after that is dropped. With `always` it writes so to whatever there is, for only so a write says whether it has failed.
 */
export function directOutput(
  descriptor: number,
  fault: (error: NodeJS.ErrnoException, descriptor: number) => void,
  always = false,
): Output | null {
  if (!always && !isPipeOrFile(descriptor)) return null;
  let broken = false;
  return {
    write({ text }) {
      if (broken) return LOST;
      try {
        writeAll(descriptor, Buffer.from(text, "utf8"));
        return undefined;
      } catch (error) {
        broken = true;
        fault(error as NodeJS.ErrnoException, descriptor);
        return LOST;
      }
    },
  };
}

function isPipeOrFile(descriptor: number): boolean {
  if (process.platform === "win32") return false;
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() || stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}

/** A pipe that somebody made non-blocking takes what fits, and refuses the rest for now. */
function writeAll(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
