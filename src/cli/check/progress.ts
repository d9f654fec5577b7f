import type { Output } from "../io.ts";

/** Fewer deployments than this are judged before a line could be read. */
const MANY = 50;
const STEP = 25;

/** A line on a terminal that says how far a long run is; silent anywhere else. */
export function progressLine(output: Output, total: number): { step(): void; clear(): void } {
  const isShown = output.isTTY === true && total >= MANY;
  let done = 0;
  return {
    step() {
      done++;
      if (isShown && done % STEP === 0) output.write(`\rchecked ${done} of ${total}`);
    },
    clear() {
      if (isShown) output.write("\r\u001b[K");
    },
  };
}
