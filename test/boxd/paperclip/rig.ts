import { AsyncLocalStorage } from "node:async_hooks";
import type {
  PluginContext,
  PluginEnvironmentAcquireLeaseParams,
  PluginEnvironmentExecuteParams,
  PluginEnvironmentLease,
} from "@paperclipai/plugin-sdk";
import { expect } from "vitest";
import type { Clock, DriverTimes } from "../../../src/boxd/driver/index.ts";
import { boxdDefinition } from "../../../src/boxd/paperclip/plugin.ts";
import type { ReleaseParams } from "../../../src/boxd/paperclip/hooks/end-lease.ts";
import {
  FakePlane,
  JumpClock,
  LeapClock,
  processesSupported,
  TEST_KEY,
  type FakeMachine,
  type PlaneOptions,
} from "../../support/boxd-fake/index.ts";

/** Part of the title of every suite that needs real processes in machines. */
export const needsProcesses = processesSupported ? "" : " (skipped: the fake's machines need /proc)";
export const skipWithoutProcesses = !processesSupported;

export const COMPANY = "company-1";
export const ENVIRONMENT = "environment-1";
export const RUN = "run-1";
/** A run that a later one can go on from. */
export const OWN_WORKSPACE = { executionWorkspaceId: "workspace-1", workspaceMode: "isolated_workspace" };

export interface RigOptions {
  plane?: PlaneOptions;
  /** settings beside key and timeout */
  config?: Record<string, unknown>;
  env?: Record<string, string>;
  times?: Partial<DriverTimes>;
  /** the driver's. Without one, time jumps from wait to wait and stands still while the plane works, so that no busy machine can use a deadline up */
  clock?: (plane: FakePlane) => Clock;
}

/** The plugin's hooks over a fake plane: what the host calls, without the process in between. */
export class Rig implements AsyncDisposable {
  readonly plane: FakePlane;
  readonly clock: Clock;
  readonly config: Record<string, unknown>;
  readonly hooks: ReturnType<typeof boxdDefinition>;
  /** keys that clients were opened for, in order */
  readonly opened: string[] = [];
  closed = 0;
  /** the log of the execution that runs, as the SDK's worker tells one from another */
  readonly #log = new AsyncLocalStorage<Record<"stdout" | "stderr", string>>();
  readonly #options: { env: Record<string, string>; times: Partial<DriverTimes> | undefined };

  constructor({ plane, config, env = {}, times, clock }: RigOptions = {}) {
    this.plane = new FakePlane(plane);
    this.clock = clock?.(this.plane) ?? new JumpClock(this.plane, 0);
    this.config = { apiKey: TEST_KEY, org: "acme", timeoutMs: 60_000, reuseLease: false, ...config };
    this.#options = { env, times };
    this.hooks = this.anotherWorker();
  }

  /** The hooks of another worker process on the same boxd: it remembers nothing. */
  anotherWorker({
    clock = this.clock,
    times = this.#options.times,
  }: { clock?: Clock; times?: Partial<DriverTimes> | undefined } = {}): ReturnType<typeof boxdDefinition> {
    const worker = boxdDefinition({
      env: this.#options.env,
      clock,
      ...(times === undefined ? {} : { times }),
      open: async ({ apiKey }) => {
        this.opened.push(apiKey);
        return {
          client: this.plane.client({ apiKey }),
          sdkVersion: null,
          close: async () => {
            this.closed += 1;
          },
        };
      },
    });
    const log: PluginContext["execution"]["log"] = (stream, chunk) => {
      const logged = this.#log.getStore();
      if (logged === undefined) throw new Error("output of no execution");
      logged[stream] += chunk;
    };
    void worker.setup({ execution: { log } } as PluginContext);
    return worker;
  }

  get base() {
    return { driverKey: "boxd", companyId: COMPANY, environmentId: ENVIRONMENT, config: this.config };
  }

  acquire(more: Partial<PluginEnvironmentAcquireLeaseParams> = {}): Promise<PluginEnvironmentLease> {
    return this.hooks.onEnvironmentAcquireLease({ ...this.base, runId: RUN, ...OWN_WORKSPACE, ...more });
  }

  /** A lease, and its machine on the plane. */
  async leased(
    more?: Partial<PluginEnvironmentAcquireLeaseParams>,
  ): Promise<{ lease: PluginEnvironmentLease; id: string; machine: FakeMachine }> {
    const lease = await this.acquire(more);
    const id = lease.providerLeaseId ?? "";
    return { lease, id, machine: this.machineOf(id) };
  }

  machineOf(id: string): FakeMachine {
    const machine = this.plane.allMachines().find((candidate) => candidate.id === id);
    if (machine === undefined) throw new Error(`no machine ${id}`);
    return machine;
  }

  params(lease: PluginEnvironmentLease, more: Partial<ReleaseParams> = {}): ReleaseParams {
    return {
      ...this.base,
      providerLeaseId: lease.providerLeaseId,
      ...(lease.metadata === undefined ? {} : { leaseMetadata: lease.metadata }),
      ...more,
    };
  }

  resume(lease: PluginEnvironmentLease): Promise<PluginEnvironmentLease> {
    return this.hooks.onEnvironmentResumeLease({ ...this.params(lease), providerLeaseId: lease.providerLeaseId ?? "" });
  }

  release(lease: PluginEnvironmentLease, more: Partial<ReleaseParams> = {}) {
    return this.hooks.onEnvironmentReleaseLease(this.params(lease, more));
  }

  destroy(lease: PluginEnvironmentLease, more: Partial<ReleaseParams> = {}) {
    return this.hooks.onEnvironmentDestroyLease(this.params(lease, more));
  }

  /** One command; what its log is given is what its answer has. */
  async execute(
    lease: PluginEnvironmentLease,
    command: string,
    args: string[] = [],
    more: Partial<PluginEnvironmentExecuteParams> = {},
    logged = { stdout: "", stderr: "" },
  ) {
    const params = { ...this.base, lease, command, args, ...more };
    const result = await this.#log.run(logged, () => this.hooks.onEnvironmentExecute(params));
    const { stdout, stderr } = result;
    if (lease.providerLeaseId !== null)
      expect(logged.stdout === stdout && logged.stderr === stderr, "the log is the answer").toBe(true);
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.plane.dispose();
  }
}

/** A rig for commands: real time, because real processes run in it; polls are short. */
export function commandRig(options: RigOptions = {}): Rig {
  return new Rig({
    clock: () => new LeapClock(),
    times: { pollMs: 20, listingLagMs: 100, settleMs: 30_000 },
    ...options,
  });
}

/** The same lease after a resume, which gives it new time. */
export function continued(lease: PluginEnvironmentLease) {
  return { ...lease, expiresAt: expect.any(String) };
}

/** What is thrown. */
export async function thrown(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}
