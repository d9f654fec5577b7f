/** I1 to I6 and I8 (facts D4) through the hooks, over random sequences of the host's calls and random faults of D5. */
import type { PluginEnvironmentLease, PluginEnvironmentTerminationReceipt } from "@paperclipai/plugin-sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LocalCreationCleanupError } from "../../src/paperclip/errors.ts";
import { scenarios, TEST_KEY, type FakeMachine } from "../support/boxd-fake/index.ts";
import { faultPlans, plannedFault } from "../support/boxd-fake/random-faults.ts";
import { cleanupSchema } from "./host-rules.ts";
import { JumpClock } from "./jump-clock.ts";
import { needsProcesses, Rig, skipWithoutProcesses, type RigOptions } from "./rig.ts";

const SECRET = "canary-secret-0123456789";
const GONE = /^(destroying|destroyed|absent)$/;
const METHODS = ["create", "get", "list", "delete", "start", "stop", "pause", "resume", "exec", "setDeleteAfter", "setAutoSuspendTimeout", "files.upload"] as const;

const stepArbitrary = fc.constantFrom("acquire", "acquire-until", "execute", "release", "cancel", "stop", "resume", "destroy", "probe", "realize", "inspect");
type Step = typeof stepArbitrary extends fc.Arbitrary<infer T> ? T : never;

/** What the host knows, and what it may hold us to. */
class Host {
  readonly rig: Rig;
  lease: PluginEnvironmentLease | undefined;
  /** leases that the host still holds, and machines that a cleanup error or a failed probe named */
  readonly accounted = new Set<string>();
  readonly texts: string[] = [];
  runs = 0;

  constructor(rig: Rig) {
    this.rig = rig;
  }

  /** One call; what it throws is kept as text, for that is all that crosses. */
  async call(step: Step): Promise<void> {
    try {
      this.texts.push(JSON.stringify(await this.#send(step)) ?? "");
    } catch (error) {
      if (!(error instanceof Error) || error.name === "AssertionError") throw error;
      this.texts.push(error.message);
      if (!(error instanceof LocalCreationCleanupError)) return;
      const cleanup = cleanupSchema.parse(error.cleanup);
      this.accounted.add(cleanup.attemptId);
      this.texts.push(JSON.stringify(cleanup));
    }
  }

  async #send(step: Step): Promise<unknown> {
    if (step === "probe") return this.#probe();
    if (step === "acquire" || step === "acquire-until") {
      const requestedExpiresAt = new Date(this.rig.clock.wallNow() + 3_600_000).toISOString();
      this.lease = await this.rig.acquire(step === "acquire" ? {} : { requestedExpiresAt });
      this.accounted.add(this.lease.providerLeaseId ?? "");
      return this.lease;
    }
    return this.lease === undefined ? undefined : this.#onLease(step, this.lease);
  }

  async #probe(): Promise<unknown> {
    const result = await this.rig.hooks.onEnvironmentProbe(this.rig.base);
    for (const { message } of result.diagnostics ?? []) {
      for (const { name } of this.rig.plane.survivors()) if (message.includes(name)) this.accounted.add(name);
    }
    return result;
  }

  async #onLease(step: Step, lease: PluginEnvironmentLease): Promise<unknown> {
    const { rig } = this;
    const id = lease.providerLeaseId ?? "";
    if (step === "execute") {
      const command = `echo x >>/home/boxd/run-${this.runs++}; sync`;
      return rig.execute(lease, "sh", ["-c", command], { env: { TOKEN: SECRET }, stdin: SECRET, timeoutMs: 8_000 });
    }
    if (step === "realize") return rig.hooks.onEnvironmentRealizeWorkspace({ ...rig.base, lease, workspace: {} });
    if (step === "inspect") return rig.hooks.onEnvironmentInspectLease({ ...rig.params(lease), providerLeaseId: id });
    if (step === "resume") {
      const resumed = await rig.resume(lease);
      if (resumed.providerLeaseId === null) expect(rig.machineOf(id).status, "only what is gone is given up").toMatch(GONE);
      else expect(resumed.providerLeaseId).toBe(id);
      return resumed;
    }
    if (step === "stop") return this.#received(await rig.hooks.onEnvironmentStopLease(rig.params(lease)), id);
    if (step === "destroy") return this.#received(await rig.destroy(lease), id);
    return this.#received(await rig.release(lease, { cancelActiveWork: step === "cancel" }), id);
  }

  /** I2 and I6, at the moment of the receipt. */
  #received(receipt: PluginEnvironmentTerminationReceipt | void, id: string): unknown {
    const machine: FakeMachine = this.rig.machineOf(id);
    if (!receipt) return receipt;
    expect(receipt.providerLeaseId).toBe(id);
    expect(machine.processes(), "I6: nothing runs after a receipt").toEqual([]);
    expect(machine.status, `I2: a receipt "${receipt.state}"`).toMatch(receipt.state === "stopped" ? /^stopped$/ : GONE);
    if (receipt.state === "destroyed") this.accounted.delete(id);
    return receipt;
  }
}

const FAST: RigOptions = { rate: 100, config: { reuseLease: true, timeoutMs: 9_000 }, times: { cleanupMs: 6_000, callMs: 2_000 } };

describe.skipIf(skipWithoutProcesses)(`invariants through the hooks${needsProcesses}`, () => {
  test("I1 I2 I3 I4 I6 over random calls and faults", async () => {
    await fc.assert(fc.asyncProperty(fc.array(stepArbitrary, { minLength: 1, maxLength: 6 }), fc.array(faultPlans(METHODS), { minLength: 1, maxLength: 3 }), async (steps, faults) => {
      await using rig = new Rig(FAST);
      for (const fault of faults) rig.plane.faults.inject(plannedFault(fault, TEST_KEY));
      const host = new Host(rig);
      try {
        for (const step of ["acquire", ...steps] as const) await host.call(step);
        for (const { id, name } of rig.plane.survivors()) {
          expect(host.accounted.has(id) || host.accounted.has(name), `I1: machine ${name} is on a lease or named`).toBe(true);
        }
        for (const machine of rig.plane.survivors().filter(({ status }) => status === "running")) {
          const { stdout } = await machine.exec("cat run-* 2>/dev/null | wc -l; ls | grep -c '^run-'");
          const [lines, files] = stdout.toString().trim().split("\n");
          // Fewer when a command was killed between opening its file and writing to it.
          expect(Number(lines), "I3: each command at most once").toBeLessThanOrEqual(Number(files));
        }
        const texts = host.texts.join("\n");
        for (const secret of [SECRET, TEST_KEY]) {
          expect(texts, "I4: nothing that crosses to the host").not.toContain(secret);
          expect(rig.plane.recorder.leaksOf(secret), "I4: nor to boxd outside of files").toEqual([]);
        }
      } finally {
        rig.plane.faults.clear();
      }
    }), { numRuns: Number(process.env["INVARIANT_RUNS"] ?? 40), endOnFailure: true });
  }, 120_000);

  test.each<[string, number, (rig: Rig, lease: PluginEnvironmentLease) => Promise<unknown>]>([
    // Time of the hook, plus what a failed creation takes to clean up, plus a command's settling: within the host's own limit for each.
    ["acquire", 9_000 + 20_000, (rig) => rig.acquire()],
    ["probe", 60_000 + 20_000, (rig) => rig.hooks.onEnvironmentProbe(rig.base)],
    ["resume", 9_000, (rig, lease) => rig.resume(lease)],
    ["release", 9_000, (rig, lease) => rig.release(lease)],
    ["cancel", 9_000, (rig, lease) => rig.release(lease, { cancelActiveWork: true })],
    ["stop", 9_000, (rig, lease) => rig.hooks.onEnvironmentStopLease(rig.params(lease))],
    ["destroy", 9_000, (rig, lease) => rig.destroy(lease)],
    ["realize", 9_000, (rig, lease) => rig.hooks.onEnvironmentRealizeWorkspace({ ...rig.base, lease, workspace: {} })],
    ["execute", 2_000 + 5_000, (rig, lease) => rig.execute(lease, "true", [], { timeoutMs: 2_000 })],
    ["inspect", 9_000, (rig, lease) => rig.hooks.onEnvironmentInspectLease({ ...rig.params(lease), providerLeaseId: lease.providerLeaseId ?? "" })],
  ])("I5 %s ends within %i ms and a second on a plane that answers nothing", async (_name, most, call) => {
    const clock = new JumpClock();
    await using rig = new Rig({ clock, config: { timeoutMs: 9_000, reuseLease: true } });
    const { id } = await rig.plane.seed({ name: "paperclip-0" });
    rig.plane.faults.inject(scenarios.stalled("*", "before", { times: Infinity }));
    const before = clock.now();
    await Promise.allSettled([call(rig, { providerLeaseId: id, metadata: { reuseLease: true } })]);
    expect(clock.now() - before).toBeLessThanOrEqual(most + 1_000);
    expect(clock.now() - before, "it did wait").toBeGreaterThan(1_000);
  });

  test("I8 two at once: two acquires make two machines, two resumes wake one, two destroys both succeed", async () => {
    await using rig = new Rig({ config: { reuseLease: true } });
    const [a, b] = await Promise.all([rig.acquire(), rig.acquire({ runId: "run-2" })]);
    expect(new Set([a?.providerLeaseId, b?.providerLeaseId]).size).toBe(2);
    await rig.release(a);
    const resumed = await Promise.all([rig.resume(a), rig.resume(a)]);
    expect(resumed.map(({ providerLeaseId }) => providerLeaseId)).toEqual([a.providerLeaseId, a.providerLeaseId]);
    const receipts = await Promise.all([rig.destroy(a), rig.destroy(a), rig.destroy(b), rig.destroy(b)]);
    expect(receipts.map((receipt) => receipt && receipt.state)).toEqual(Array(4).fill("destroyed"));
    expect(rig.plane.survivors()).toEqual([]);
  });
});
