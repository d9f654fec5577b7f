import { expect, test } from "vitest";
import { LazyDriver, type BoxdClient, type OpenedBoxd } from "../../../src/boxd/driver/index.ts";

const client = {} as BoxdClient;

/** Opens at once, but for the attempts that are named; counts what is open. */
class Opener {
  attempts = 0;
  open = 0;
  readonly failing: readonly number[];

  constructor(...failing: number[]) {
    this.failing = failing;
  }

  driver(more: { client?: BoxdClient } = {}): LazyDriver {
    return new LazyDriver({ connection: { apiKey: "key" }, open: () => this.#open(), ...more });
  }

  async #open(): Promise<OpenedBoxd> {
    this.attempts += 1;
    if (this.failing.includes(this.attempts)) throw new Error("no network");
    this.open += 1;
    return {
      client,
      sdkVersion: null,
      close: async () => {
        this.open -= 1;
      },
    };
  }
}

test("the driver is opened once, together, and again after an attempt that failed", async () => {
  const opener = new Opener(1);
  const lazy = opener.driver();
  const first = await Promise.allSettled([lazy.get(), lazy.get()]);
  expect(first.map((outcome) => outcome.status)).toEqual(["rejected", "rejected"]);
  expect(await lazy.get()).toBe(await lazy.get());
  expect(opener.attempts).toBe(2);
});

test("closing gives the connection back, also one that is being opened, and the next use opens another", async () => {
  const opener = new Opener();
  const lazy = opener.driver();
  await lazy.close();
  const opening = lazy.get();
  await lazy.close();
  expect(opener).toMatchObject({ attempts: 1, open: 0 });
  expect(await lazy.get()).not.toBe(await opening);
  await Promise.all([lazy.close(), lazy.close()]);
  expect(opener).toMatchObject({ attempts: 2, open: 0 });
});

test("a client of the caller's own is used as it is, and not closed", async () => {
  const opener = new Opener();
  const lazy = opener.driver({ client });
  await lazy.get();
  await lazy.close();
  expect(opener.attempts).toBe(0);
});
