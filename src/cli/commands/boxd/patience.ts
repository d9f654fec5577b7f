import { ours, plainText, shown } from "../../../base/shown.ts";
import { errorText } from "../../../boxd/driver/errors.ts";
import type { MachineDriverOptions } from "../../../boxd/driver/index.ts";
import type { ProcessIo } from "../../process-io.ts";

/** Nobody should look at nothing for longer than this. */
const FIRST_WORD_MS = 3_000;
const NEXT_WORD_MS = 10_000;

/** Says on stderr that boxd is being waited for: once, and on a terminal again every ten seconds. */
export class Patience {
  readonly #io: ProcessIo;
  readonly #first: NodeJS.Timeout;
  #saidAt: number | null = null;

  constructor(io: ProcessIo) {
    this.#io = io;
    this.#first = setTimeout(() => {
      if (this.#isDue()) io.stderr.write(ours("boxd has not answered yet; still waiting (Ctrl-C ends it)\n"));
    }, FIRST_WORD_MS);
  }

  /** For a driver: what it is waiting out. */
  readonly onRetry: NonNullable<MachineDriverOptions["onRetry"]> = (error, remainingMs) => {
    if (!this.#isDue()) return;
    const seconds = Math.ceil(remainingMs / 1000);
    this.#io.stderr.write(shown`${plainText(errorText(error))}; trying again for ${seconds} s (Ctrl-C ends it)\n`);
  };

  end(): void {
    clearTimeout(this.#first);
  }

  #isDue(): boolean {
    const now = performance.now();
    const isNext = this.#saidAt !== null && this.#io.stderr.isTTY === true && now - this.#saidAt >= NEXT_WORD_MS;
    if (this.#saidAt !== null && !isNext) return false;
    this.#saidAt = now;
    return true;
  }
}
