import { PassThrough } from "node:stream";
import type { ExecStream } from "../../../src/boxd/driver/client.ts";
import { sharedController } from "./signals.ts";

export type Show = (bytes: Buffer, isStderr: boolean) => void;

/** The SDK's view of one call: `run` begins at once, shows what the command writes, and answers its status. */
export function execStream(
  closeStdin: boolean,
  run: (show: Show, input: AsyncIterable<Uint8Array>, abandoned: AbortSignal) => Promise<number>,
): ExecStream {
  const [stdout, stderr, stdin] = [new Pieces(), new Pieces(), new PassThrough()];
  if (closeStdin) stdin.end();
  const closing = sharedController();
  const show: Show = (bytes, isStderr) => {
    (isStderr ? stderr : stdout).push(bytes);
  };
  const status = run(show, stdin, closing.signal);
  const end = (error?: unknown): void => {
    for (const pieces of [stdout, stderr]) pieces.end(error);
  };
  status.then(() => {
    end();
  }, end);
  return {
    stdout,
    stderr,
    wait: () => status,
    close() {
      stdin.end();
      closing.abort();
    },
  };
}

/** What was written, until it ends or fails; what came before a failure is read first. */
class Pieces implements AsyncIterable<Uint8Array> {
  readonly #pieces: Uint8Array[] = [];
  #ended: { error: unknown } | undefined;
  #wake = (): void => undefined;

  push(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#wake();
  }

  end(error: unknown): void {
    this.#ended = { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) yield piece;
      else if (this.#ended === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else if (this.#ended.error === undefined) return;
      else throw this.#ended.error;
    }
  }
}
