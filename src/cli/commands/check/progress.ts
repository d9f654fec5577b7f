import type { ProcessIo } from "../../process-io.ts";

/** Fewer deployments than this are judged before a line could be read. */
const MANY = 50;
const STEP = 25;

/** A line on a terminal that says how far a long run is; silent anywhere else. */
export function progressLine(io: Pick<ProcessIo, "stderr">, total: number): { step(): void; clear(): void } {
  const isShown = total >= MANY && io.stderr.isTTY === true;
  let done = 0;
  return {
    step() {
      done++;
      if (isShown && done % STEP === 0) io.stderr.write(`\rchecked ${done} of ${total}`);
    },
    clear() {
      if (isShown) io.stderr.write("\r\u001b[K");
    },
  };
}
