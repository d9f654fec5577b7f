import type { BoxdClient } from "../../../src/boxd/driver/index.ts";
import { FakePlane, JumpClock, TEST_KEY, type PlaneOptions } from "../../support/boxd-fake/index.ts";
import type { Worker } from "../../support/boxd-fake/jump-clock.ts";
import { Boxd, type BoxdOptions } from "../../support/boxd-wire/sdk/index.ts";
import { WirePlane } from "../../support/boxd-wire/server.ts";

/** Real time in which nothing moves on the wire before what is under way counts as stalled. */
const STILL_MS = 100;

/** A plane behind the wire, and clients on it whose time jumps when neither plane nor wire have anything left to do. */
export class WireRig implements AsyncDisposable {
  readonly plane: FakePlane;
  readonly wire: WirePlane;
  readonly clock: JumpClock;
  readonly #clients: Boxd[] = [];
  #movedAt = 0;

  private constructor(plane: FakePlane, wire: WirePlane) {
    this.plane = plane;
    this.wire = wire;
    const worker: Worker = {
      delay: (ms) => this.clock.sleep(ms),
      isBusy: () => plane.isBusy() || performance.now() - this.#movedAt < STILL_MS,
    };
    plane.delay = (ms) => this.clock.sleep(ms);
    this.clock = new JumpClock(worker, 1);
  }

  static async open(options: PlaneOptions = {}): Promise<WireRig> {
    const plane = new FakePlane(options);
    return new WireRig(plane, await WirePlane.open(plane));
  }

  client(options: BoxdOptions = {}): BoxdClient {
    const boxd = new Boxd({ apiKey: TEST_KEY, baseURL: this.wire.address, maxRetries: 0, ...options });
    this.#clients.push(boxd);
    return this.#watched(boxd);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) await client.close();
    await this.wire.close();
    await this.plane.dispose();
  }

  /** The same calls; each moves the wire when it begins and when it is answered. */
  #watched<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (_target, property): unknown => {
        const value: unknown = Reflect.get(target, property);
        if (typeof value === "object" && value !== null) return this.#watched(value);
        if (typeof value !== "function") return value;
        return async (...args: unknown[]): Promise<unknown> => {
          this.#movedAt = performance.now();
          try {
            return await (value as (...rest: unknown[]) => unknown).apply(target, args);
          } finally {
            this.#movedAt = performance.now();
          }
        };
      },
    });
  }
}
