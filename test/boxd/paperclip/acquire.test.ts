import { describe, expect, test } from "vitest";
import {
  creationCleanupClass,
  LocalCreationCleanupError,
  type CreationCleanup,
} from "../../../src/boxd/paperclip/errors.ts";
import { ManualClock, scenarios, TEST_KEY, type Fault } from "../../support/boxd-fake/index.ts";
import { cleanupSchema, diagnosticSchema, isFoundAgain } from "./host-rules.ts";
import { COMPANY, ENVIRONMENT, needsProcesses, Rig, RUN, skipWithoutProcesses, thrown } from "./rig.ts";

const LABELS = { "paperclip-provider": "boxd", "paperclip-environment": ENVIRONMENT, "paperclip-run": RUN };

describe.skipIf(skipWithoutProcesses)(`acquire${needsProcesses}`, () => {
  test("P05 an isolated machine with the three labels, in the org, of the size, whose id is the lease's", async () => {
    await using rig = new Rig({ config: { vcpu: 4, image: "agents" } });
    const { id, machine } = await rig.leased();
    const params = rig.plane.recorder.of("machines.create")[0]?.args[0] as { labels: object } | undefined;
    expect(params).toMatchObject({
      isolated: true,
      org: "acme",
      labels: LABELS,
      config: { vcpu: 4 },
      image: "agents",
      name: expect.stringMatching(/^paperclip-[0-9a-f]{12}$/),
    });
    expect(params?.labels).toEqual(LABELS);
    expect(id).toBe(machine.id);
    expect(id).not.toBe(machine.name);
    expect(machine.status).toBe("running");
  });

  test("P05 a machine from a snapshot carries no size", async () => {
    await using rig = new Rig({ config: { snapshot: "warm" } });
    rig.plane.snapshots.set("warm", { status: "ready", vcpu: 2 });
    await rig.leased();
    const params = rig.plane.recorder.of("machines.create")[0]?.args[0];
    expect(params).toMatchObject({ fromSnapshot: "warm", isolated: true });
    expect(params).not.toHaveProperty("config");
  });

  test("P05 the id is the same through suspending, hibernating and stopping", async () => {
    await using rig = new Rig({ config: { reuseLease: true } });
    const { lease, id, machine } = await rig.leased();
    for (const status of ["suspended", "hibernated", "stopped"] as const) {
      await rig.release(lease);
      await machine.force(status);
      expect((await rig.resume(lease)).providerLeaseId).toBe(id);
    }
  });

  test.each([true, false])(
    "P06 the lease says where and how to run, carries no secret, and is found again only when it is reusable (%s)",
    async (reuseLease) => {
      await using rig = new Rig({ config: { reuseLease, vcpu: 2 } });
      const { lease, machine } = await rig.leased();
      expect(lease.metadata).toEqual({
        remoteCwd: "/home/boxd/paperclip-workspace",
        shellCommand: "sh",
        reuseLease,
        boxd: { companyId: COMPANY, resumable: true },
      });
      const { apiKey: _, ...stored } = rig.config;
      expect(isFoundAgain(stored, lease.metadata ?? {})).toBe(reuseLease);
      expect(JSON.stringify(lease)).not.toContain(TEST_KEY);
      expect((await machine.exec("stat -c %F paperclip-workspace")).stdout.toString().trim()).toBe("directory");
    },
  );

  test("P07 the directory is made without the file calls, which an older agent does not have", async () => {
    await using rig = new Rig({ plane: { quirks: { fileApi: false } } });
    const { lease, machine } = await rig.leased();
    expect((await machine.exec("ls -d paperclip-workspace")).stdout.toString().trim()).toBe("paperclip-workspace");
    expect(await rig.execute(lease, "pwd")).toMatchObject({ exitCode: 0, stdout: "/home/boxd/paperclip-workspace\n" });
  });

  test.each<[string, Fault]>([
    ["the workspace", scenarios.refused("machines.exec", 7, "denied", { nth: 2, times: Infinity })],
    ["the boot", scenarios.refused("machines.exec", 7, "agent refuses")],
    ["the delete timer", scenarios.refused("machines.setDeleteAfter", 7, "denied")],
    ["the idle timer", scenarios.refused("machines.setAutoSuspendTimeout", 7, "denied")],
  ])("P08 when %s fails, the machine is deleted and the original error surfaces", async (_name, fault) => {
    await using rig = new Rig();
    rig.plane.faults.inject(fault);
    const requestedExpiresAt = new Date(rig.clock.wallNow() + 3_600_000).toISOString();
    expect((await thrown(rig.acquire({ requestedExpiresAt }))).message).toMatch(/denied|refuses/);
    expect(rig.plane.faults.unused()).toEqual([]);
    expect(rig.plane.allMachines()).toHaveLength(1);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("P08 a machine that fails to boot is deleted", async () => {
    await using rig = new Rig();
    rig.plane.bootEnds.push("failed", "failed", "failed", "failed");
    expect((await thrown(rig.acquire())).message).toContain("failed to start");
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("P08 a refused creation is the refusal itself, not a missing machine", async () => {
    await using rig = new Rig({ plane: { quirks: { quota: 0 } } });
    expect((await thrown(rig.acquire())).message).toMatch(/rate limit/);
    expect(rig.plane.allMachines()).toEqual([]);
  });

  test("P09 a machine that cannot be deleted is named in the host's own envelope, free of secrets", async () => {
    await using rig = new Rig();
    rig.plane.faults.inject(scenarios.refused("machines.setAutoSuspendTimeout", 7, `denied for ${TEST_KEY}`));
    rig.plane.faults.inject(scenarios.refused("machines.delete", 14, "unavailable", { times: Infinity }));
    const error = (await thrown(rig.acquire())) as LocalCreationCleanupError;
    const [machine] = rig.plane.survivors();
    expect(error).toBeInstanceOf(AggregateError);
    expect(error.name).toBe("PluginEnvironmentCreationCleanupError");
    expect(cleanupSchema.parse(error.cleanup)).toEqual(error.cleanup);
    expect(diagnosticSchema.parse(error.acquisitionDiagnostic)).toMatchObject({ phase: "create", budgetMs: 60_000 });
    expect(error.cleanup).toEqual({
      providerLeaseId: machine?.id,
      attemptId: machine?.name,
      companyId: COMPANY,
      environmentId: ENVIRONMENT,
      runId: RUN,
      labels: LABELS,
      accountFingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(error.message).toContain(machine?.name);
    expect(`${error.message} ${JSON.stringify(error.cleanup)} ${String(error.errors)}`).not.toContain(TEST_KEY);
  });

  test("P09 the phase is the workspace's when that failed", async () => {
    await using rig = new Rig();
    rig.plane.faults.inject(scenarios.refused("machines.exec", 7, "denied", { nth: 2, times: Infinity }));
    rig.plane.faults.inject(scenarios.deleteIgnored({ times: Infinity }));
    expect(((await thrown(rig.acquire())) as LocalCreationCleanupError).acquisitionDiagnostic?.phase).toBe("workspace");
  });

  test("P09 the SDK's own class is used where it is exported, the local one where not", async () => {
    class Own extends LocalCreationCleanupError {}
    expect(creationCleanupClass({ PluginEnvironmentCreationCleanupError: Own })).toBe(Own);
    expect(creationCleanupClass({})).toBe(LocalCreationCleanupError);
    expect(creationCleanupClass(), "2026.916.1 does not export it").toBe(LocalCreationCleanupError);
  });

  test.each<[string, Fault]>([
    ["DEADLINE_EXCEEDED", scenarios.answerLost("machines.create", 4)],
    ["UNAVAILABLE", scenarios.answerLost("machines.create", 14)],
    ["a follow-up read that finds nothing", scenarios.createReadFails()],
  ])("P10 a creation whose answer is lost (%s) leaves no machine", async (_name, fault) => {
    await using rig = new Rig();
    rig.plane.faults.inject(fault);
    await thrown(rig.acquire());
    expect(rig.plane.allMachines()).toHaveLength(1);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("P10 a creation that never answers, on a plane that then shows nothing, is reported by its name", async () => {
    await using rig = new Rig({ times: { cleanupMs: 5_000 }, config: { timeoutMs: 9_000 } });
    rig.plane.faults.inject(scenarios.stalled("machines.create", "before"));
    const error = (await thrown(rig.acquire())) as LocalCreationCleanupError;
    const name = (rig.plane.recorder.of("machines.create")[0]?.args[0] as { name: string } | undefined)?.name;
    expect(cleanupSchema.parse(error.cleanup)).toMatchObject({ providerLeaseId: name, attemptId: name });
  });

  test("P12 the delete timer is at or before the deadline, set after the creation answered, and fires", async () => {
    const clock = new ManualClock();
    await using rig = new Rig({ plane: { clock }, config: { reuseLease: true } });
    const requested = new Date(rig.clock.wallNow() + 3_600_000);
    const lease = await rig.acquire({ requestedExpiresAt: requested.toISOString() });
    expect(Date.parse(lease.expiresAt ?? "")).toBeLessThanOrEqual(requested.getTime());
    expect(Date.parse(lease.expiresAt ?? "")).toBeGreaterThan(requested.getTime() - 60_000);
    const methods = rig.plane.recorder.methods();
    expect(methods.indexOf("machines.setDeleteAfter")).toBeGreaterThan(methods.indexOf("machines.create"));
    expect(rig.plane.recorder.of("machines.create")[0]?.args[0]).not.toHaveProperty("config.autoDestroyTimeout");
    await clock.advance(3_600_000);
    expect(rig.plane.survivors()).toEqual([]);
    expect(await rig.resume(lease)).toEqual({ providerLeaseId: null, metadata: { expired: true } });
  });

  test.each(["yesterday-ish", "2001-01-01T00:00:00Z", ""])(
    "P12 the deadline %j is refused before anything is made",
    async (requestedExpiresAt) => {
      await using rig = new Rig();
      await thrown(rig.acquire({ requestedExpiresAt }));
      expect(rig.plane.recorder.of("machines.create")).toEqual([]);
    },
  );

  test.each([
    ["runId", ""],
    ["runId", "a b"],
    ["runId", "x".repeat(201)],
  ])("P09 a %s that the envelope could not carry (%j) is refused before anything is made", async (_field, runId) => {
    await using rig = new Rig();
    expect((await thrown(rig.acquire({ runId }))).message).toContain("`runId`");
    expect(rig.plane.recorder.calls).toEqual([]);
  });
});

/** A failed creation's machine on the plane, and the record that the host made of it. */
async function failedCreation(rig: Rig, byName = false): Promise<CreationCleanup> {
  const disarm = [
    rig.plane.faults.inject(scenarios.refused("machines.setAutoSuspendTimeout", 7, "denied")),
    rig.plane.faults.inject(scenarios.refused("machines.delete", 14, "unavailable", { times: Infinity })),
  ];
  const { cleanup } = (await thrown(rig.acquire())) as LocalCreationCleanupError;
  for (const fault of disarm) fault();
  return byName ? { ...cleanup, providerLeaseId: cleanup.attemptId } : cleanup;
}

describe.skipIf(skipWithoutProcesses)(`destroying a failed creation${needsProcesses}`, () => {
  const destroy = (rig: Rig, cleanup: CreationCleanup, more = {}) =>
    rig.hooks.onEnvironmentDestroyLease({
      ...rig.base,
      providerLeaseId: cleanup.providerLeaseId,
      leaseMetadata: { failedCreateCleanup: cleanup },
      ...more,
    });

  test("P11 the host's record is enough, also in a worker that knows nothing and without an environment", async () => {
    await using rig = new Rig();
    const cleanup = await failedCreation(rig);
    expect(await destroy(rig, cleanup, { environmentId: "" })).toEqual({
      providerLeaseId: cleanup.providerLeaseId,
      state: "destroyed",
    });
    expect(rig.plane.survivors()).toEqual([]);
    expect(await destroy(rig, cleanup), "again").toMatchObject({ state: "destroyed" });
  });

  test.each<[string, (cleanup: CreationCleanup) => CreationCleanup]>([
    ["another account", (cleanup) => ({ ...cleanup, accountFingerprint: "0".repeat(64) })],
    ["other labels", (cleanup) => ({ ...cleanup, labels: { ...cleanup.labels, "paperclip-run": "run-2" } })],
    ["another attempt", (cleanup) => ({ ...cleanup, attemptId: "paperclip-000000000000" })],
    ["another company", (cleanup) => ({ ...cleanup, companyId: "company-2" })],
    ["another environment", (cleanup) => ({ ...cleanup, environmentId: "environment-2" })],
    ["no labels", (cleanup) => ({ ...cleanup, labels: {} })],
  ])("P11 a record of %s is refused, and nothing is deleted", async (_name, bend) => {
    await using rig = new Rig();
    const cleanup = bend(await failedCreation(rig));
    const before = rig.plane.recorder.of("machines.delete").length;
    await thrown(destroy(rig, cleanup));
    expect(rig.plane.recorder.of("machines.delete")).toHaveLength(before);
    expect(rig.plane.survivors()).toHaveLength(1);
  });

  test("P11 a machine of which only the name was known is deleted in two steps: found first, then by its id", async () => {
    await using rig = new Rig();
    const cleanup = await failedCreation(rig, true);
    const found = (await thrown(destroy(rig, cleanup))) as LocalCreationCleanupError;
    expect(found.name).toBe("PluginEnvironmentCreationCleanupError");
    expect(cleanupSchema.parse(found.cleanup)).toEqual({
      ...cleanup,
      observedProviderLeaseId: rig.plane.survivors()[0]?.id,
    });
    expect(rig.plane.survivors()).toHaveLength(1);
    expect(await destroy(rig, found.cleanup)).toEqual({ providerLeaseId: cleanup.providerLeaseId, state: "destroyed" });
    expect(rig.plane.survivors()).toEqual([]);
  });

  const stale: [string, (times: number) => Fault][] = [
    ["listing that lacks it", (times) => scenarios.listHides(() => true, { times })],
    ["listing that flaps", (times) => scenarios.listFlaps({ times: times * 3 })],
  ];
  test.each(
    stale.flatMap(([name, fault]) =>
      [true, false].map((labelled) => [labelled ? "other labels" : "its own labels", name, labelled, fault] as const),
    ),
  )(
    "P11 known by name, a machine with %s and a %s: judged and found all the same, not deleted by its name",
    async (_labels, _name, isOther, fault) => {
      await using rig = new Rig();
      const cleanup = await failedCreation(rig, true);
      const [machine] = rig.plane.survivors();
      if (isOther) Object.assign(machine ?? {}, { labels: { ...LABELS, "paperclip-environment": "environment-2" } });
      const before = rig.plane.recorder.of("machines.delete").length;
      rig.plane.faults.inject(fault(1));
      const error = await thrown(destroy(rig, cleanup));
      if (isOther) expect(error.message).toContain("other labels");
      else
        expect(error).toMatchObject({
          name: "PluginEnvironmentCreationCleanupError",
          cleanup: { observedProviderLeaseId: machine?.id },
        });
      expect(rig.plane.faults.unused()).toEqual([]);
      expect(rig.plane.recorder.of("machines.delete")).toHaveLength(before);
      expect(rig.plane.survivors()).toEqual([machine]);
    },
  );

  test("P11 known by id, a machine with other labels and one stale reading: refused all the same", async () => {
    await using rig = new Rig();
    const cleanup = await failedCreation(rig);
    const [machine] = rig.plane.survivors();
    Object.assign(machine ?? {}, { labels: { ...LABELS, "paperclip-run": "run-2" } });
    rig.plane.faults.inject(scenarios.getDenies());
    expect((await thrown(destroy(rig, cleanup))).message).toContain("other labels");
    expect(rig.plane.survivors()).toEqual([machine]);
  });

  test("P11 a name under which nothing ever came is confirmed as destroyed", async () => {
    await using rig = new Rig();
    const cleanup = await failedCreation(rig, true);
    await rig.machineOf(rig.plane.survivors()[0]?.id ?? "").delete();
    // Until it is not even shown as being deleted.
    for (let reads = 0; reads < 5; reads += 1) rig.plane.list("acme");
    expect(await destroy(rig, cleanup)).toEqual({ providerLeaseId: cleanup.attemptId, state: "destroyed" });
  });
});
