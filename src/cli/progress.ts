import { ours, shown } from "../base/shown.ts";
import type { Detail } from "../diagnostics/reporters/reporter.ts";
import type { ProcessIo } from "./process-io.ts";

/** Whoever reads the result at once needs no word about the wait. */
const PATIENCE_MS = 1_000;
const BETWEEN_MS = 100;

/** A line on a terminal that says how far long work is. */
export interface Progress {
  /** Says that work on something begins: the how manieth of how many, and its name. */
  step(done: number, total: number, name: string): void;
  /** Takes the line away, before anything else is printed. */
  clear(): void;
}

/** True where a program reads along, or a log is kept: a line that is drawn over itself would be many lines there. */
function isLog({ stderr, env: { CI = "", TERM } }: ProcessIo): boolean {
  return stderr.isTTY !== true || !["", "false", "0"].includes(CI) || TERM === "dumb";
}

/**
 * Progress on stderr for people who wait, `doing` being "checking": none in the first second, in a log, beside a report for
 * programs, or where quiet was asked for.
 */
export function progressOf(
  io: ProcessIo,
  doing: string,
  { format, detail }: { readonly format: string; readonly detail: Detail },
): Progress {
  // Streams are made when they are used: most runs are over before one is asked.
  let next = format !== "pretty" || detail === "quiet" ? Infinity : performance.now() + PATIENCE_MS;
  let isDrawn = false;
  return {
    step(done, total, name) {
      if (next === Infinity) return;
      const now = performance.now();
      if (now < next) return;
      next = isLog(io) ? Infinity : now + BETWEEN_MS;
      if (next === Infinity) return;
      const { text } = shown`${doing} ${done} of ${total}: ${name}`;
      const room = (io.stderr.columns ?? 80) - 1;
      io.stderr.write(ours(`\r${[...text].slice(0, room).join("")}\u001b[K`));
      isDrawn = true;
    },
    clear() {
      if (isDrawn) io.stderr.write(ours("\r\u001b[K"));
      isDrawn = false;
    },
  };
}
