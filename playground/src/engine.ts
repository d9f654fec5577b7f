import type { Answers } from "./worker.ts";

type Reply = { readonly id: number } & ({ readonly value: unknown } | { readonly error: string });

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Asks the worker. */
export class Engine {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  /** `onFailure` is told where the worker cannot be had at all. */
  constructor(onFailure: () => void) {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => this.#settle(data));
    this.#worker.addEventListener("error", onFailure);
  }

  /** Resolves to what the worker answers; rejects where it has a fault. */
  ask<Name extends keyof Answers>(
    name: Name,
    ...args: Parameters<Answers[Name]>
  ): Promise<Awaited<ReturnType<Answers[Name]>>> {
    this.#last += 1;
    const id = this.#last;
    this.#worker.postMessage({ id, name, args });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
    });
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ("error" in reply) waiting?.reject(new Error(reply.error));
    else waiting?.resolve(reply.value);
  }
}
