import type { PluginEnvironmentLease, PluginEnvironmentTerminationReceipt } from "@paperclipai/plugin-sdk";
import { expect } from "vitest";
import { LocalCreationCleanupError, type CreationCleanup } from "../../../src/boxd/paperclip/errors.ts";
import { countedCommand, fastClock, type FakeMachine } from "../../support/boxd-fake/index.ts";
import { cleanupSchema } from "./host-rules.ts";
import type { Rig } from "./rig.ts";

const GONE = /^(destroying|destroyed|absent)$/;

export const STEPS = [
  "acquire",
  "acquire-until",
  "execute",
  "execute",
  "execute-daemon",
  "execute-endless",
  "release",
  "cancel",
  "stop",
  "resume",
  "destroy",
  "probe",
  "realize",
  "inspect",
] as const;
/** One call of the host. */
export interface Step {
  readonly what: (typeof STEPS)[number];
  /** which of its leases, counted round */
  readonly at: number;
  /** the next call does not wait for this one */
  readonly overlaps: boolean;
}

/** A lease that the host holds, and the calls for it that are to wake its machine. */
interface Held {
  readonly lease: PluginEnvironmentLease;
  readonly id: string;
  /** resumes: those begun, and those that go on; executions and realizations do not count, for a stop ends and refuses them */
  begun: number;
  open: number;
}

/** What the host knows, and what it may hold the plugin to. */
export class Host {
  readonly #rig: Rig;
  readonly #secret: string;
  readonly #held: Held[] = [];
  readonly #cleanups: CreationCleanup[] = [];
  /** machines that a failed probe named: an operator removes them */
  readonly #named = new Set<string>();
  /** everything that crossed to it */
  readonly texts: string[] = [];
  #commands = 0;
  /** calls that did what they were for */
  readonly done = new Map<string, number>();

  constructor(rig: Rig, secret: string) {
    this.#rig = rig;
    this.#secret = secret;
  }

  /** One call; what it throws is kept as text, for that is all that crosses. */
  async call(step: Step): Promise<void> {
    try {
      const answer = await this.#send(step);
      this.texts.push(JSON.stringify(answer) ?? "");
      if (answer !== null) this.done.set(step.what, (this.done.get(step.what) ?? 0) + 1);
    } catch (error) {
      if (!(error instanceof Error) || error.name === "AssertionError") throw error;
      this.texts.push(error.message);
      if (error instanceof LocalCreationCleanupError) this.#record(error);
    }
  }

  /** I1: with what it was told it can get rid of everything, also through a worker that remembers nothing. Call it without faults. */
  async endEverything(): Promise<void> {
    const rig = this.#rig;
    const worker = rig.anotherWorker({ clock: fastClock(1), times: { pollMs: 20 } });
    for (const { id, lease } of this.#held) {
      expect(await worker.onEnvironmentDestroyLease(rig.params(lease)), "I1: a lease can be destroyed").toEqual({
        providerLeaseId: id,
        state: "destroyed",
      });
    }
    for (const cleanup of this.#cleanups) {
      const { providerLeaseId } = cleanup;
      const destroy = (failedCreateCleanup: CreationCleanup) =>
        worker.onEnvironmentDestroyLease({ ...rig.base, providerLeaseId, leaseMetadata: { failedCreateCleanup } });
      const receipt = await destroy(cleanup).catch((error: unknown) => {
        if (!(error instanceof LocalCreationCleanupError)) throw error;
        return destroy(error.cleanup);
      });
      expect(receipt, "I1: a failed creation can be cleaned up").toMatchObject({ state: "destroyed" });
    }
    expect(
      rig.plane
        .survivors()
        .filter(({ name }) => !this.#named.has(name))
        .map(({ name }) => name),
      "I1: every machine is on a lease, in an envelope, named, or gone",
    ).toEqual([]);
  }

  /** The answer, or null when nothing came of it. */
  async #send({ what, at }: Step): Promise<unknown> {
    if (what === "probe") return this.#probe();
    if (what === "acquire" || what === "acquire-until") return this.#acquire(what === "acquire-until");
    const held = this.#held.length === 0 ? undefined : this.#held[at % this.#held.length];
    return held === undefined ? null : this.#onLease(what, held);
  }

  async #acquire(until: boolean): Promise<unknown> {
    const rig = this.#rig;
    const requestedExpiresAt = new Date(rig.clock.wallNow() + 3_600_000).toISOString();
    const lease = await rig.acquire(until ? { requestedExpiresAt } : {});
    const id = lease.providerLeaseId ?? "";
    expect(
      this.#held.some((held) => held.id === id),
      "I8: a machine has one lease",
    ).toBe(false);
    this.#held.push({ lease, id, begun: 0, open: 0 });
    return lease;
  }

  async #probe(): Promise<unknown> {
    const result = await this.#rig.hooks.onEnvironmentProbe(this.#rig.base);
    for (const { message } of result.diagnostics ?? []) {
      for (const { name } of this.#rig.plane.survivors()) if (message.includes(name)) this.#named.add(name);
    }
    if (!result.ok) this.texts.push(JSON.stringify(result));
    return result.ok ? result : null;
  }

  async #onLease(what: Step["what"], held: Held): Promise<unknown> {
    const rig = this.#rig;
    const { lease, id } = held;
    if (what === "execute-daemon")
      return wellDone(await rig.execute(lease, "sh", ["-c", "sleep 300 >/dev/null 2>&1 &"], { timeoutMs: 8_000 }));
    if (what === "execute-endless") return this.#executeEndless(held);
    if (what === "execute") {
      const result = await rig.execute(lease, "sh", ["-c", countedCommand(this.#commands++)], {
        env: { TOKEN: this.#secret },
        stdin: this.#secret,
        timeoutMs: 8_000,
      });
      this.texts.push(JSON.stringify(result));
      return wellDone(result);
    }
    if (what === "inspect") return rig.hooks.onEnvironmentInspectLease({ ...rig.params(lease), providerLeaseId: id });
    if (what === "realize") return rig.hooks.onEnvironmentRealizeWorkspace({ ...rig.base, lease, workspace: {} });
    if (what === "resume") return this.#resume(held);
    if (what === "destroy") return this.#ended(held, () => rig.destroy(lease));
    if (what === "stop") return this.#ended(held, () => rig.hooks.onEnvironmentStopLease(rig.params(lease)));
    return this.#ended(held, () => rig.release(lease, { cancelActiveWork: what === "cancel" }));
  }

  /** I6: a command whose group is said to be gone has left nothing. Cancelling ends it as well as its time. */
  async #executeEndless({ lease, id }: Held): Promise<unknown> {
    const seconds = String(1_000 + this.#commands++);
    const { metadata } = await this.#rig.execute(lease, "sh", ["-c", `sleep ${seconds} & sleep ${seconds}`], {
      timeoutMs: 5_000,
    });
    if (metadata?.["groupGone"] !== true) return null;
    expect(
      this.#rig
        .machineOf(id)
        .processes()
        .filter(({ argv }) => argv[0] === "sleep" && argv[1] === seconds),
      "I6: a command that was ended",
    ).toEqual([]);
    return metadata;
  }

  async #resume(held: Held): Promise<unknown> {
    const { lease, id } = held;
    held.begun += 1;
    held.open += 1;
    const resumed = await this.#rig.resume(lease).finally(() => {
      held.open -= 1;
    });
    if (resumed.providerLeaseId === null)
      expect(this.#rig.machineOf(id).status, "only what is gone is given up").toMatch(GONE);
    else expect(resumed.providerLeaseId).toBe(id);
    return resumed;
  }

  /** I2 and I6, at the moment of the receipt. */
  async #ended(held: Held, work: () => Promise<PluginEnvironmentTerminationReceipt | void>): Promise<unknown> {
    const { begun, open, id } = held;
    const receipt = await work();
    if (!receipt) return receipt;
    const machine: FakeMachine = this.#rig.machineOf(id);
    expect(receipt.providerLeaseId).toBe(id);
    // What is destroyed stays so, whatever else is asked; one that was stopped runs again only where the host itself resumes it. (A worker that was restarted
    // knows of no stop: an execution or realization that the host sends to it wakes the machine, as it wakes any other. No worker is restarted here.)
    const isResumed = held.begun > begun || open > 0;
    if (receipt.state === "stopped" && (isResumed || GONE.test(machine.status))) return receipt;
    expect(machine.processes(), "I6: nothing runs after a receipt").toEqual([]);
    expect(machine.status, `I2: a receipt "${receipt.state}"`).toMatch(
      receipt.state === "stopped" ? /^stopped$/ : GONE,
    );
    return receipt;
  }

  #record(error: LocalCreationCleanupError): void {
    const cleanup = cleanupSchema.parse(error.cleanup);
    this.#cleanups.push(error.cleanup);
    this.texts.push(JSON.stringify(cleanup));
  }
}

/** The result of a command that ran well, or null. */
function wellDone<T extends { exitCode: number | null }>(result: T): T | null {
  return result.exitCode === 0 ? result : null;
}
