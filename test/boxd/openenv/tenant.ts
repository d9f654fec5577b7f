import { inspect } from "node:util";
import { expect } from "vitest";
import { EnvClient, type BoxdProvider, type BoxdProviderOptions } from "../../../src/boxd/openenv/index.ts";
import type { FakeMachine, ManualClock } from "../../support/boxd-fake/index.ts";
import { thrown, type Rig } from "./rig.ts";

/** What a user may ask of a provider; `expire` is what boxd does after an hour. */
export const MOVES = ["start", "start", "ready", "episode", "stop", "close", "using", "abort", "expire"] as const;
export interface Move {
  readonly what: (typeof MOVES)[number];
  readonly image: string;
  /** goes on with the next move at once */
  readonly overlaps: boolean;
}

/** One provider, what it was asked, and what may be held against it at any moment. */
export class Tenant {
  readonly #rig: Rig;
  readonly #provider: BoxdProvider;
  readonly #prefix: string;
  #starts = 0;
  #open = 0;
  /** calls that did what they were for */
  readonly done = new Set<Move["what"]>();
  /** everything that was thrown, as a log would print it */
  readonly texts: string[] = [];

  constructor(rig: Rig, prefix: string, options: Partial<BoxdProviderOptions>) {
    this.#rig = rig;
    this.#prefix = prefix;
    this.#provider = rig.provider({
      namePrefix: prefix,
      startTimeoutMs: 60_000,
      times: { pollMs: 200, callMs: 2_000, cleanupMs: 6_000, settleMs: 1_000 },
      ...options,
    });
  }

  async make(move: Move): Promise<void> {
    if (await this.#make(move)) this.done.add(move.what);
  }

  /** I1: what is left of it on the plane is still its own, and can be got rid of. */
  async settle(): Promise<void> {
    for (const { name } of this.#machines()) {
      expect((await thrown(this.#provider.startContainer())).message, `I1: ${name} is still the provider's`).toContain(
        "stop it first",
      );
    }
    this.#rig.plane.faults.clear();
    await this.#provider.stopContainer();
    expect(this.#machines(), "I1: what could not be deleted is deleted in the end").toEqual([]);
    const asked = this.#rig.plane.recorder.of("machines.create").map(({ args }) => (args[0] as { name: string }).name);
    expect(
      new Set(asked.filter((name) => name.startsWith(this.#prefix))).size,
      "I8: no start asks for two",
    ).toBeLessThanOrEqual(this.#starts);
  }

  async #make({ what, image }: Move): Promise<boolean> {
    if (what === "start") return this.#start(image);
    if (what === "abort") return !(await this.#start(image, AbortSignal.timeout(150)));
    if (what === "ready") return this.#onBase((base) => this.#provider.waitForReady(base, { timeoutMs: 20_000 }));
    if (what === "episode") return this.#onBase((base) => this.#episode(base));
    if (what !== "expire") return this.#stop(what);
    await (this.#rig.plane.clock as ManualClock).advance(3_600_000);
    return true;
  }

  async #start(image: string, signal?: AbortSignal): Promise<boolean> {
    this.#starts += 1;
    this.#open += 1;
    const isStarted = await this.#attempt(this.#provider.startContainer(image, signal === undefined ? {} : { signal }));
    this.#open -= 1;
    expect(this.#machines().length, "I8: one provider, one machine").toBeLessThanOrEqual(1);
    return isStarted;
  }

  async #stop(how: "stop" | "close" | "using"): Promise<boolean> {
    const before = this.#starts;
    const work =
      how === "stop" ? this.#provider.stopContainer() : how === "close" ? this.#provider.close() : this.#leaveBlock();
    const isStopped = await this.#attempt(work);
    if (!isStopped || this.#starts !== before) return isStopped;
    const own = this.#rig.plane.allMachines().filter(({ name }) => name.startsWith(this.#prefix));
    expect(
      own.flatMap((machine) => machine.processes()),
      "I6",
    ).toEqual([]);
    expect(this.#machines(), "I2: stopped is gone").toEqual([]);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    if (this.#starts === before) expect(this.#open, "I8: a stop outlasts the starts before it").toBe(0);
    return true;
  }

  async #leaveBlock(): Promise<void> {
    await using _ = this.#provider;
  }

  async #onBase(work: (base: string) => Promise<unknown>): Promise<boolean> {
    let base: string;
    try {
      base = this.#provider.baseUrl;
    } catch (error) {
      expect(error).toMatchObject({ code: "NOT_STARTED" });
      return false;
    }
    return this.#attempt(this.#rig.talking(() => work(base)));
  }

  async #episode(base: string): Promise<void> {
    await using client = new EnvClient(base, {
      connection: this.#rig.connection,
      connectTimeoutMs: 1_000,
      messageTimeoutMs: 1_000,
    });
    await client.connect();
    await client.reset();
    expect(await client.step({ message: this.#prefix })).toMatchObject({
      observation: { echo: this.#prefix },
      reward: this.#prefix.length,
    });
  }

  async #attempt(work: Promise<unknown>): Promise<boolean> {
    try {
      await work;
      return true;
    } catch (error) {
      if (!(error instanceof Error) || error.name === "AssertionError") throw error;
      this.texts.push(inspect(error, { depth: Infinity, showHidden: true }));
      return false;
    }
  }

  #machines(): FakeMachine[] {
    return this.#rig.plane.survivors().filter(({ name }) => name.startsWith(this.#prefix));
  }
}
