import { describe, expect, test } from "vitest";
import type { Clock } from "../../../src/boxd/driver/index.ts";
import { JumpClock, ManualClock, scenarios, type FakePlane, type Fault } from "../../support/boxd-fake/index.ts";
import { RETRYABLE } from "./host-rules.ts";
import { commandRig, continued, needsProcesses, Rig, type RigOptions, skipWithoutProcesses, thrown } from "./rig.ts";

const REUSE = { config: { reuseLease: true } };
const PARKED = ["suspended", "hibernated", "stopped"] as const;

/** A rig whose time also passes between calls, for boxd and for the worker alike. */
function timedRig(options: RigOptions) {
  const planeClock = new ManualClock();
  let passed = 0;
  const clock = (plane: FakePlane): Clock => {
    const jump = new JumpClock(plane, 0);
    const sleep = (ms: number, signal?: AbortSignal) => jump.sleep(ms, signal);
    return { now: () => jump.now() + passed, wallNow: () => jump.wallNow() + passed, sleep };
  };
  const rig = new Rig({ ...options, plane: { clock: planeClock }, clock });
  const advance = (ms: number): Promise<void> => {
    passed += ms;
    return planeClock.advance(ms);
  };
  return { rig, advance };
}

describe.skipIf(skipWithoutProcesses)(`release${needsProcesses}`, () => {
  test("P13 without reuse: deleted, and the receipt comes only once boxd does not list it", async () => {
    await using rig = new Rig({ plane: { steps: { destroy: 6 } } });
    const { lease, id } = await rig.leased();
    expect(await rig.release(lease)).toEqual({ providerLeaseId: id, state: "destroyed" });
    expect(rig.plane.list("acme").filter((machine) => machine.status !== "destroyed")).toEqual([]);
  });

  test("P13 no receipt for a deletion that is acknowledged and does not happen", async () => {
    await using rig = new Rig({ config: { timeoutMs: 10_000 } });
    const { lease, id, machine } = await rig.leased();
    rig.plane.faults.inject(scenarios.deleteIgnored({ times: Infinity }));
    expect((await thrown(rig.release(lease))).message).toContain(id);
    expect(rig.plane.survivors()).toEqual([machine]);
  });

  test("P14 with reuse: suspended, and no receipt, for its processes have not ended", async () => {
    await using rig = new Rig(REUSE);
    const { lease, machine } = await rig.leased();
    expect(await rig.release(lease)).toBeUndefined();
    expect(machine.status).toBe("suspended");
  });

  test.each([
    ["without a workspace", { executionWorkspaceId: null }, {}],
    ["in a shared workspace", { workspaceMode: "shared_workspace" }, {}],
    ["that failed", {}, { runStatus: "failed" }],
    ["that was interrupted", {}, { runStatus: "interrupted" }],
  ])("P14 with reuse, a run %s: deleted, for no later run can resume it", async (_what, acquired, released) => {
    await using rig = new Rig(REUSE);
    const { lease, id } = await rig.leased(acquired);
    expect(await rig.release(lease, released)).toEqual({ providerLeaseId: id, state: "destroyed" });
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("P14 with reuse, a machine that nobody comes back for: boxd deletes it when its idle limit is over", async () => {
    const { rig, advance } = timedRig({ config: { reuseLease: true, reuseIdleSeconds: 3600 } });
    await using _ = rig;
    const { lease, machine } = await rig.leased();
    await rig.release(lease);
    await advance(3_000_000);
    expect(machine.status, "written to disk while it waits").toBe("hibernated");
    await advance(700_000);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("P14 a run that nobody ends: boxd deletes its machine when the longest run is over", async () => {
    const { rig, advance } = timedRig({ config: { maxLeaseSeconds: 3600 } });
    await using _ = rig;
    await rig.leased();
    await advance(3_700_000);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("P20 the next run has a whole run's time again, and its machine does not hibernate", async () => {
    const { rig, advance } = timedRig({ config: { reuseLease: true, reuseIdleSeconds: 3600, maxLeaseSeconds: 7200 } });
    await using _ = rig;
    const { lease, machine } = await rig.leased();
    await rig.release(lease);
    await advance(3_000_000);
    await rig.resume(lease);
    await advance(7_000_000);
    expect(machine.status).toBe("running");
    await advance(300_000);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("P14 the moment that the host asked for counts where it comes before the idle limit", async () => {
    const { rig, advance } = timedRig(REUSE);
    await using _ = rig;
    const requestedExpiresAt = new Date(rig.clock.wallNow() + 3_600_000).toISOString();
    const { lease } = await rig.leased({ requestedExpiresAt });
    await rig.release(lease);
    await advance(3_600_000);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("P14 with reuse, when it is stopped already: left so, and that is a receipt", async () => {
    await using rig = new Rig(REUSE);
    const { lease, id, machine } = await rig.leased();
    await machine.force("stopped");
    expect(await rig.release(lease)).toEqual({ providerLeaseId: id, state: "stopped" });
  });

  test("P14 with reuse, when it is gone: that is the receipt", async () => {
    await using rig = new Rig(REUSE);
    const { lease, id, machine } = await rig.leased();
    await machine.delete();
    expect(await rig.release(lease)).toEqual({ providerLeaseId: id, state: "destroyed" });
  });

  test.each([true, false])("P15 cancelling stops the machine and keeps its disk (reuse %s)", async (reuseLease) => {
    await using rig = new Rig({ config: { reuseLease }, plane: { steps: { stop: 4 } } });
    const { lease, id, machine } = await rig.leased();
    expect(await rig.release(lease, { cancelActiveWork: true })).toEqual({ providerLeaseId: id, state: "stopped" });
    expect(machine.status).toBe("stopped");
  });

  test("P15 a stop that boxd never shows gives no receipt, in words that the host retries", async () => {
    await using rig = new Rig({ config: { timeoutMs: 10_000 } });
    const { lease } = await rig.leased();
    rig.plane.faults.inject({ method: "machines.stop", times: Infinity, skip: () => undefined });
    expect((await thrown(rig.release(lease, { cancelActiveWork: true }))).message).toMatch(RETRYABLE);
  });

  test.each(["release", "stop"] as const)(
    "P16 stop_and_retain through %s stops and never deletes, also without reuse",
    async (by) => {
      await using rig = new Rig();
      const { lease, id, machine } = await rig.leased();
      const params = rig.params(lease, { cancelActiveWork: by === "stop", resourceDisposition: "stop_and_retain" });
      const receipt =
        by === "stop"
          ? await rig.hooks.onEnvironmentStopLease(params)
          : await rig.hooks.onEnvironmentReleaseLease(params);
      expect(receipt).toEqual({ providerLeaseId: id, state: "stopped" });
      expect(machine.status).toBe("stopped");
      expect(machine.timers.deleteAt).toBeNull();
      expect(rig.plane.recorder.of("machines.delete")).toEqual([]);
    },
  );

  test("P16 what is not to be retained keeps its delete timer, and so does what the host wants gone at a moment", async () => {
    await using rig = new Rig();
    const { lease, machine } = await rig.leased();
    await rig.release(lease, { cancelActiveWork: true });
    expect(machine.timers.deleteAt).not.toBeNull();
    const requestedExpiresAt = new Date(rig.clock.wallNow() + 3_600_000).toISOString();
    const bounded = await rig.leased({ requestedExpiresAt });
    await rig.hooks.onEnvironmentStopLease(rig.params(bounded.lease));
    expect(bounded.machine.timers.deleteAt).not.toBeNull();
  });

  test("P16 a delete timer that boxd does not take back gives no receipt", async () => {
    await using rig = new Rig();
    const { lease } = await rig.leased();
    rig.plane.faults.inject({ method: "machines.setDeleteAfter", times: Infinity, skip: () => undefined });
    expect((await thrown(rig.hooks.onEnvironmentStopLease(rig.params(lease)))).message).toContain("its record has one");
  });

  test("P16 a failed stop throws and deletes nothing", async () => {
    await using rig = new Rig();
    const { lease } = await rig.leased();
    rig.plane.faults.inject(scenarios.refused("machines.stop", 7, "denied", { times: Infinity }));
    expect((await thrown(rig.hooks.onEnvironmentStopLease(rig.params(lease)))).message).toContain("denied");
    expect(rig.plane.recorder.of("machines.delete")).toEqual([]);
  });

  test("P16 a missing machine is not stopped: an error, not a receipt", async () => {
    await using rig = new Rig();
    const { lease, machine } = await rig.leased();
    await machine.delete();
    expect((await thrown(rig.hooks.onEnvironmentStopLease(rig.params(lease)))).message).toContain("does not exist");
  });

  test.each(PARKED)("P17 stopping a %s machine", async (status) => {
    await using rig = new Rig();
    const { lease, id, machine } = await rig.leased();
    await machine.force(status);
    expect(await rig.hooks.onEnvironmentStopLease(rig.params(lease))).toEqual({
      providerLeaseId: id,
      state: "stopped",
    });
    expect(machine.status).toBe("stopped");
  });

  test("P19 a null id: no call, no answer", async () => {
    await using rig = new Rig();
    const params = rig.params({ providerLeaseId: null });
    expect(await rig.hooks.onEnvironmentReleaseLease({ ...params, cancelActiveWork: true })).toBeUndefined();
    expect(await rig.hooks.onEnvironmentReleaseLease(params)).toBeUndefined();
    expect(await rig.hooks.onEnvironmentDestroyLease(params)).toBeUndefined();
    expect(await rig.hooks.onEnvironmentStopLease(params)).toBeUndefined();
    expect(rig.plane.recorder.calls).toEqual([]);
  });
});

describe.skipIf(skipWithoutProcesses)(`destroy${needsProcesses}`, () => {
  test.each(["running", ...PARKED] as const)(
    "P18 a %s machine, twice, in a worker that never acquired",
    async (status) => {
      await using rig = new Rig();
      const { id } = await rig.plane.seed(
        { name: "paperclip-0", labels: { "paperclip-provider": "boxd", "paperclip-environment": "environment-1" } },
        status,
      );
      for (const environmentId of ["environment-1", ""]) {
        expect(await rig.destroy({ providerLeaseId: id }, { environmentId })).toEqual({
          providerLeaseId: id,
          state: "destroyed",
        });
      }
      expect(rig.plane.survivors()).toEqual([]);
    },
  );

  test("P18 settings that went bad do not keep a machine from being deleted", async () => {
    await using rig = new Rig();
    const { lease } = await rig.leased();
    Object.assign(rig.config, { vcpu: 3, timeoutMs: "soon" });
    expect(await rig.destroy(lease)).toMatchObject({ state: "destroyed" });
  });

  test("P18 never confirmed: an error that names the machine", async () => {
    await using rig = new Rig({ config: { timeoutMs: 10_000 } });
    const { lease, id } = await rig.leased();
    rig.plane.faults.inject(scenarios.refused("machines.delete", 14, "unavailable", { times: Infinity }));
    expect((await thrown(rig.destroy(lease))).message).toContain(id);
    rig.plane.faults.clear();
    expect(await rig.destroy(lease)).toEqual({ providerLeaseId: id, state: "destroyed" });
  });

  test.each([
    ["onEnvironmentDestroyLease", false],
    ["onEnvironmentReleaseLease", false],
    ["onEnvironmentReleaseLease", true],
    ["onEnvironmentStopLease", false],
  ] as const)(
    "P18 %s (reuse %s) leaves machines of others alone, also after a stale reading",
    async (hook, reuseLease) => {
      await using rig = new Rig({ config: { reuseLease } });
      const { lease, machine } = await rig.leased();
      const params = rig.params(lease);
      expect((await thrown(rig.hooks[hook]({ ...params, companyId: "company-2" }))).message).toContain(
        "another company",
      );
      expect((await thrown(rig.hooks[hook]({ ...params, environmentId: "environment-2" }))).message).toContain(
        "labels",
      );
      rig.plane.faults.inject(scenarios.getDenies());
      expect((await thrown(rig.hooks[hook]({ ...params, environmentId: "environment-2" }))).message).toContain(
        "labels",
      );
      expect(rig.plane.faults.unused()).toEqual([]);
      expect(machine.status).toBe("running");
    },
  );
});

describe.skipIf(skipWithoutProcesses)(`resume${needsProcesses}`, () => {
  test.each([
    ["suspended", ["machines.resume"]],
    ["hibernated", ["machines.wake"]],
    ["stopped", ["machines.start"]],
    ["running", []],
  ] as const)("P20 a %s machine", async (status, verbs) => {
    await using rig = new Rig(REUSE);
    const { lease, id, machine } = await rig.leased();
    await machine.force(status);
    expect(await rig.resume(lease)).toEqual(continued(lease));
    expect(machine.status).toBe("running");
    expect(rig.plane.recorder.methods().filter((method) => /resume|wake|start/.test(method))).toEqual(verbs);
    expect(id).toBe(lease.providerLeaseId);
  });

  test("P20 files and processes outlast a suspension, files a stop", async () => {
    await using rig = commandRig(REUSE);
    const { lease } = await rig.leased();
    await rig.execute(lease, "sh", ["-c", "echo kept >file; sleep 300 >/dev/null 2>&1 & echo $! >pid"]);
    const alive = () =>
      rig.execute(lease, "sh", ["-c", "cat file; grep -q sleep /proc/$(cat pid)/cmdline 2>/dev/null && echo alive"]);
    await rig.release(lease);
    await rig.resume(lease);
    expect((await alive()).stdout).toBe("kept\nalive\n");
    await rig.release(lease, { cancelActiveWork: true });
    await rig.resume(lease);
    expect((await alive()).stdout).toBe("kept\n");
  });

  test("P21 after its destruction: expired", async () => {
    await using rig = new Rig(REUSE);
    const { lease } = await rig.leased();
    await rig.destroy(lease);
    expect(await rig.resume(lease)).toEqual({ providerLeaseId: null, metadata: { expired: true } });
  });

  test.each<[string, Fault[]]>([
    ["boxd cannot be reached", [scenarios.refused("machines.get", 14, "unavailable", { times: Infinity })]],
    ["it never answers", [scenarios.stalled("machines.get", "before", { times: Infinity })]],
    [
      "calls are limited",
      [
        scenarios.refused("machines.resume", 8, "slow down", { times: Infinity }),
        scenarios.refused("machines.get", 8, "slow down", { times: Infinity }),
      ],
    ],
    ["one reading denies the machine", [scenarios.getDenies()]],
    ["two readings deny the machine", [scenarios.getDenies({ times: 2 })]],
    ["the machine does not wake", [{ method: "machines.resume", times: Infinity, skip: () => undefined }]],
  ])("P21 when %s: an error that the host retries, and nothing is deleted", async (_name, faults) => {
    await using rig = new Rig({ config: { reuseLease: true, timeoutMs: 10_000 } });
    const { lease, machine } = await rig.leased();
    await rig.release(lease);
    for (const fault of faults) rig.plane.faults.inject(fault);
    expect((await thrown(rig.resume(lease))).message).toMatch(RETRYABLE);
    expect(rig.plane.recorder.of("machines.delete")).toEqual([]);
    rig.plane.faults.clear();
    expect(await rig.resume(lease), "and then it works").toEqual(continued(lease));
    expect(machine.status).toBe("running");
  });

  test("P21 a bad key is no reason to give a lease up, nor to try again", async () => {
    await using rig = new Rig(REUSE);
    const { lease } = await rig.leased();
    rig.config["apiKey"] = "bxd_other";
    expect((await thrown(rig.resume(lease))).message).not.toMatch(RETRYABLE);
  });
});

describe.skipIf(skipWithoutProcesses)(`inspect and realize${needsProcesses}`, () => {
  test.each(["running", ...PARKED] as const)("P22 a %s machine is seen as it is, and not woken", async (status) => {
    await using rig = new Rig();
    const { lease, id, machine } = await rig.leased();
    await machine.force(status);
    const before = rig.plane.recorder.calls.length;
    expect(await rig.hooks.onEnvironmentInspectLease({ ...rig.params(lease), providerLeaseId: id })).toEqual({
      providerLeaseId: id,
      state: status,
    });
    expect(rig.plane.recorder.methods().slice(before)).toEqual(["machines.get"]);
  });

  test("P22 a missing machine is missing, one stale reading is not", async () => {
    await using rig = new Rig();
    const { lease, id } = await rig.leased();
    const inspect = () => rig.hooks.onEnvironmentInspectLease({ ...rig.params(lease), providerLeaseId: id });
    rig.plane.faults.inject(scenarios.getDenies());
    expect((await inspect()).state).toBe("unknown");
    await rig.destroy(lease);
    expect((await inspect()).state).toBe("missing");
  });

  test.each<[string, Record<string, unknown> | undefined, string | undefined, string]>([
    ["the lease's directory", { remoteCwd: "/home/boxd/here" }, "/home/boxd/there", "/home/boxd/here"],
    ["the workspace's remote path when the lease has none", {}, "/home/boxd/there", "/home/boxd/there"],
    ["the usual directory when nobody says", undefined, undefined, "/home/boxd/paperclip-workspace"],
  ])("P31 realize answers %s and makes it", async (_name, metadata, remotePath, cwd) => {
    await using rig = new Rig();
    const { lease, machine } = await rig.leased();
    const realized = await rig.hooks.onEnvironmentRealizeWorkspace({
      ...rig.base,
      lease: { providerLeaseId: lease.providerLeaseId, ...(metadata === undefined ? {} : { metadata }) },
      workspace: remotePath === undefined ? {} : { remotePath },
    });
    expect(realized.cwd).toBe(cwd);
    expect((await machine.exec(`stat -c %F '${cwd}'`)).stdout.toString().trim()).toBe("directory");
  });
});
