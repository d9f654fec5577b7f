import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../../src/boxd/driver/index.ts";
import { BoxdProvider, type BoxdProviderOptions, type Connection } from "../../../src/boxd/openenv/index.ts";
import {
  FakePlane,
  fastClock,
  JumpClock,
  processesSupported,
  type FakeMachine,
  type PlaneOptions,
} from "../../support/boxd-fake/index.ts";
import { Front, hasOpenssl } from "./front.ts";

export const cannotRun = !processesSupported || !hasOpenssl;
export const needs = cannotRun ? " (skipped: needs /proc and openssl)" : "";

const STAND_IN = join(import.meta.dirname, "docker-stand-in.mjs");

/** A plane whose machines have a stand-in for docker, and the TLS front before it. */
export class Rig implements AsyncDisposable {
  readonly plane: FakePlane;
  readonly front: Front;
  readonly connection: Connection;
  readonly #providers: BoxdProvider[] = [];
  readonly #dir: string;
  #talks = 0;

  private constructor(plane: FakePlane, front: Front, dir: string) {
    this.plane = plane;
    this.front = front;
    this.#dir = dir;
    this.connection = { agent: front.agent() };
  }

  static async start(options: PlaneOptions = {}): Promise<Rig> {
    const dir = mkdtempSync(join(tmpdir(), "openenv-rig-"));
    const docker = `#!/bin/sh\nexport DOCKER_LEDGER='${join(dir, "ledger")}'\nexec node '${STAND_IN}' "$@"\n`;
    const plane = new FakePlane({ tools: { docker }, ...options });
    return new Rig(plane, await Front.start(plane), dir);
  }

  /** Options for a provider on this plane. */
  options(options: Partial<BoxdProviderOptions> = {}): BoxdProviderOptions {
    return {
      public: true,
      image: "echo-env:latest",
      client: this.plane.client(),
      clock: fastClock(1),
      org: "acme",
      times: { pollMs: 20, listingLagMs: 100, settleMs: 3_000 },
      connection: this.connection,
      ...options,
    };
  }

  provider(options: Partial<BoxdProviderOptions> = {}): BoxdProvider {
    const provider = new BoxdProvider(this.options(options));
    this.#providers.push(provider);
    return provider;
  }

  /** Time that jumps while neither the plane nor a connection to a machine is at work, and runs twenty times too fast otherwise. The wall clock is the plane's. */
  jumpClock(): Clock {
    const { plane } = this;
    const jump = new JumpClock(
      {
        isBusy: () => plane.isBusy() || this.#talks > 0,
        get delay() {
          return plane.delay;
        },
        set delay(delay) {
          plane.delay = delay;
        },
      },
      20,
    );
    return {
      now: () => jump.now(),
      sleep: (ms, signal) => jump.sleep(ms, signal),
      wallNow: () => plane.clock.wallNow(),
    };
  }

  /** Work that talks to a machine over TLS, of which the plane knows nothing. */
  async talking<T>(work: () => Promise<T>): Promise<T> {
    this.#talks += 1;
    try {
      return await work();
    } finally {
      this.#talks -= 1;
    }
  }

  /** The machine that was made last. */
  machine(): FakeMachine {
    const machine = this.plane.allMachines().at(-1);
    if (machine === undefined) throw new Error("no machine was made");
    return machine;
  }

  /** What docker was called with on a machine, read before the machine is gone. */
  dockerCalls(machine = this.machine()): string[][] {
    return readFileSync(join(machine.disk.home, ".docker", "calls"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as string[]);
  }

  /** `<verb> <machine's home>` for every call of docker that was ever made, in order; also of machines that are gone. */
  ledger(): string[] {
    const file = join(this.#dir, "ledger");
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  }

  dockerFile(name: string, machine = this.machine()): unknown {
    return JSON.parse(readFileSync(join(machine.disk.home, ".docker", name), "utf8"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.plane.faults.clear();
    await Promise.allSettled(this.#providers.map((provider) => provider.close()));
    await this.front[Symbol.asyncDispose]();
    await this.plane.dispose();
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

export async function thrown(work: Promise<unknown>): Promise<Error & { code?: string }> {
  try {
    await work;
  } catch (error) {
    return error as Error & { code?: string };
  }
  throw new Error("nothing was thrown");
}
