/** Public bug reports of sibling providers (by their number in docs/contract/boxd-behaviours.md) as cases: what went wrong there must not go wrong here. */
import { describe, expect, test } from "vitest";
import type { LocalCreationCleanupError } from "../../../src/boxd/paperclip/errors.ts";
import { scenarios, untilNoneRuns } from "../../support/boxd-fake/index.ts";
import { cleanupSchema } from "./host-rules.ts";
import { commandRig, needsProcesses, Rig, skipWithoutProcesses, thrown } from "./rig.ts";

const REUSE = { config: { reuseLease: true } };

describe.skipIf(skipWithoutProcesses)(`public reports${needsProcesses}`, () => {
  test("E-01 (#4452): a passing error of suspend or delete does not leave the machine running", async () => {
    await using rig = new Rig(REUSE);
    const { lease, machine } = await rig.leased();
    rig.plane.faults.inject(scenarios.refused("machines.pause", 14, "unavailable", { times: 2 }));
    await rig.release(lease);
    expect(machine.status).toBe("suspended");
    rig.plane.faults.inject(scenarios.refused("machines.delete", 14, "unavailable", { times: 2 }));
    expect(await rig.destroy(lease)).toMatchObject({ state: "destroyed" });
    expect(rig.plane.faults.unused()).toEqual([]);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("E-02 (#5278): input for a command that does not read it, and has ended, is no error", async () => {
    await using rig = commandRig();
    const { lease } = await rig.leased();
    expect(await rig.execute(lease, "true", [], { stdin: "x".repeat(200_000) })).toMatchObject({ exitCode: 0 });
  });

  test("E-03 (#7595): two commands at once never share a staged input", async () => {
    await using rig = commandRig();
    const { lease } = await rig.leased();
    const read = (stdin: string) => rig.execute(lease, "cat", [], { stdin });
    const [a, b] = await Promise.all([read("first"), read("second")]);
    expect([a.stdout, b.stdout]).toEqual(["first", "second"]);
  });

  test("E-04 (#4802): a command has the time it asked for, not the settings'", async () => {
    await using rig = commandRig({ config: { timeoutMs: 1_000 }, times: { pollMs: 20, settleMs: 5_000 } });
    const lease = await rig.acquire();
    expect(await rig.execute(lease, "sh", ["-c", "sleep 1.5; echo done"], { timeoutMs: 20_000 })).toMatchObject({
      exitCode: 0,
      stdout: "done\n",
    });
    expect(await rig.execute(lease, "sleep", ["300"])).toMatchObject({ timedOut: true });
  });

  test("E-06 (#5687): a failure after the machine is there removes it; a failed resume removes nothing", async () => {
    await using rig = new Rig(REUSE);
    const { lease } = await rig.leased();
    await rig.release(lease);
    rig.plane.faults.inject(scenarios.refused("machines.resume", 7, "denied", { times: Infinity }));
    await thrown(rig.resume(lease));
    expect(rig.plane.survivors()).toHaveLength(1);
    rig.plane.faults.inject(scenarios.refused("machines.exec", 7, "denied", { nth: 2, times: Infinity }));
    await thrown(rig.acquire());
    expect(rig.plane.allMachines()).toHaveLength(2);
    expect(rig.plane.survivors().map(({ id }) => id)).toEqual([lease.providerLeaseId]);
  });

  test("E-08 (#11347): a lease is torn down from its record, in a fresh worker, after its environment is gone", async () => {
    await using rig = new Rig(REUSE);
    const { lease } = await rig.leased();
    // Another worker on the same boxd, which gets the lease as JSON from the host's database.
    const worker = rig.anotherWorker();
    expect(
      await worker.onEnvironmentDestroyLease(JSON.parse(JSON.stringify(rig.params(lease, { environmentId: "" })))),
    ).toMatchObject({ state: "destroyed" });
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("E-09 (#11646): a creation that could not be undone is on record, and the record suffices to undo it", async () => {
    await using rig = new Rig();
    const disarm = rig.plane.faults.inject(scenarios.refused("machines.delete", 7, "denied", { times: Infinity }));
    rig.plane.faults.inject(scenarios.answerLost("machines.create", 14));
    const { cleanup } = (await thrown(rig.acquire())) as LocalCreationCleanupError;
    disarm();
    const recorded = cleanupSchema.parse(JSON.parse(JSON.stringify(cleanup)));
    const receipt = await rig.destroy({
      providerLeaseId: recorded.providerLeaseId,
      metadata: { failedCreateCleanup: recorded },
    });
    expect(receipt).toEqual({ providerLeaseId: recorded.providerLeaseId, state: "destroyed" });
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("E-11 (#13352): a stalled command does not keep a cancelled machine from stopping", async () => {
    await using rig = new Rig({ times: { settleMs: 3_000 } });
    const { lease, id, machine } = await rig.leased();
    // From here on the guest takes commands and never answers.
    rig.plane.faults.inject(scenarios.stalled("machines.exec", "before", { times: Infinity }));
    const running = rig.execute(lease, "sleep", ["300"]);
    expect(await rig.release(lease, { cancelActiveWork: true })).toEqual({ providerLeaseId: id, state: "stopped" });
    expect(machine.status).toBe("stopped");
    await running;
  });

  test("E-13 (#10264): settings that changed between acquire and release leave no machine that nobody finds again", async () => {
    for (const [atAcquire, atRelease] of [
      [true, false],
      [false, true],
    ]) {
      await using rig = new Rig({ config: { reuseLease: atAcquire } });
      const { lease } = await rig.leased();
      rig.config["reuseLease"] = atRelease;
      expect(await rig.release(lease)).toMatchObject({ state: "destroyed" });
      expect(rig.plane.survivors()).toEqual([]);
    }
  });

  test("E-14 (#12865): a command that is given up takes its descendants with it", async () => {
    await using rig = commandRig();
    const { lease, machine } = await rig.leased();
    await rig.execute(lease, "sh", ["-c", "for i in 1 2 3; do sh -c 'while :; do sleep 0.2; done' & done; wait"], {
      timeoutMs: 1_000,
    });
    await untilNoneRuns(machine);
  });

  test("E-32 (sim #5860): a stream without an exit status is no success: the machine's own word counts, and without it there is none", async () => {
    await using rig = commandRig();
    const { lease } = await rig.leased();
    const where = (args: readonly unknown[]): boolean => (args[1] as { command: string }).command.includes("setsid");
    for (const fault of [scenarios.exitStatusLost({ where }), scenarios.streamCut({ where })]) {
      rig.plane.faults.inject(fault);
      expect(await rig.execute(lease, "sh", ["-c", "echo said; exit 7"])).toMatchObject({ exitCode: 7 });
    }
    rig.plane.faults.inject(scenarios.streamCutEarly("half", { where }));
    expect((await thrown(rig.execute(lease, "sleep", ["300"]))).message).toContain("without an exit status");
  });

  test("E-45 (TanStack/ai #1083): a resumed lease runs, also when its machine had stopped", async () => {
    await using rig = commandRig(REUSE);
    const { lease, machine } = await rig.leased();
    await machine.force("stopped");
    await rig.resume(lease);
    expect(machine.status).toBe("running");
    expect(await rig.execute(lease, "true")).toMatchObject({ exitCode: 0 });
  });

  test("E-46 (fabro #766): machines are not parked for want of inbound traffic while a run thinks", async () => {
    await using rig = new Rig();
    await rig.leased();
    for (const method of ["machines.setAutoSuspendTimeout", "machines.setAutoHibernateTimeout"]) {
      expect(rig.plane.recorder.of(method).map(({ args }) => args[1])).toEqual([0]);
    }
  });

  test("E-50 (daytona #5138): a listing that flaps after a deletion gives no early receipt", async () => {
    await using rig = new Rig();
    const { lease, machine } = await rig.leased();
    rig.plane.faults.inject(scenarios.deleteIgnored());
    rig.plane.faults.inject(scenarios.getDenies({ nth: 2 }));
    rig.plane.faults.inject(scenarios.listHides(() => true));
    expect(await rig.release(lease)).toMatchObject({ state: "destroyed" });
    expect(rig.plane.survivors()).not.toContain(machine);
  });

  test("E-55 (mastra #24336): a command that reads input without being given any ends", async () => {
    await using rig = commandRig();
    const { lease } = await rig.leased();
    expect(
      await rig.execute(lease, "sh", ["-c", 'read -r line; echo "status $?"'], { timeoutMs: 10_000 }),
    ).toMatchObject({ stdout: "status 1\n" });
  });

  test("E-58: secrets of a run are on no command line", async () => {
    await using rig = commandRig();
    const { lease } = await rig.leased();
    const secret = "sk-canary-0123456789abcdef";
    await rig.execute(lease, "sh", ["-c", 'test -n "$KEY"'], { env: { KEY: secret }, stdin: secret });
    expect(rig.plane.recorder.leaksOf(secret)).toEqual([]);
  });

  test("E-60 (vm0 #14905): after a cancellation a lease is resumed only once its commands have ended", async () => {
    await using rig = new Rig();
    const { lease, machine } = await rig.leased();
    rig.plane.faults.inject(scenarios.stalled("machines.exec", "before", { times: Infinity }));
    const running = rig.execute(lease, "sleep", ["300"]);
    const released = rig.release(lease, { cancelActiveWork: true });
    expect((await thrown(rig.resume(lease))).message).toContain("have not ended yet");
    await Promise.all([running, released]);
    rig.plane.faults.clear();
    await rig.resume(lease);
    expect(machine.processes().filter(({ argv }) => argv.includes("300"))).toEqual([]);
  });
});
