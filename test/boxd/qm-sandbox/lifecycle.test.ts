import { describe, expect, test, vi } from "vitest";
import { scopeName } from "../../../src/boxd/driver/index.ts";
import { createBoxdSandbox } from "../../../src/boxd/qm-sandbox/index.ts";
import { fastClock, scenarios, type Fault } from "../../support/boxd-fake/index.ts";
import { DiskWorkspace, LAYERS, needsProcesses, Rig, SCOPE, skipWithoutProcesses } from "./rig.ts";

test("Q01 without a key and without a client it refuses at once", () => {
  const workspace = new DiskWorkspace();
  for (const options of [{}, { apiKey: "" }, { apiKey: "  " }]) {
    expect(() => createBoxdSandbox(workspace, options)).toThrow("SANDBOX_BACKEND=boxd requires BOXD_API_KEY");
  }
  expect(() => createBoxdSandbox(workspace, { apiKey: "bxd_key" })).not.toThrow();
  workspace.remove();
});

describe.skipIf(skipWithoutProcesses)(`machines${needsProcesses}`, () => {
  test("Q02 machines are addressed by id, names come from the listing, once", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    expect(handle.id).toBe(scopeName("qm", SCOPE));
    const listings = rig.plane.recorder.of("machines.list").length;
    await rig.sandbox.run(handle, "true");
    await rig.sandbox.run(handle, "true");
    expect(rig.plane.recorder.of("machines.list")).toHaveLength(listings);
    // `get` may be tried with a name, which is a look-up too; whatever acts takes the id.
    const addressed = rig.plane.recorder.calls
      .filter((call) => !["machines.create", "machines.list", "machines.get"].includes(call.method))
      .map((call) => call.args[0]);
    expect(new Set(addressed)).toEqual(new Set([rig.machine.id]));
    expect(rig.plane.recorder.of("machines.list").map((call) => call.args)).toEqual(
      rig.plane.recorder.of("machines.list").map(() => [{ org: "acme" }]),
    );
  });

  test("Q02 a fresh backend finds the machine of a handle again, and does not take a destroyed row for it", async () => {
    await using rig = new Rig();
    await rig.plane.seed({ name: scopeName("qm", SCOPE) }, "destroyed");
    const handle = await rig.provision();
    await rig.sandbox.writeFile(handle, "f", "mine");
    await using fresh = rig.another();
    expect(await fresh.readFile(handle, "f")).toBe("mine");
  });

  test.each(["pending", "starting", "stopping", "stopped", "failed", "suspended", "hibernated"] as const)(
    "Q09 Q10 a %s machine is brought to running, by provision and by run",
    async (state) => {
      await using rig = new Rig();
      const handle = await rig.provision();
      for (const use of [
        () => rig.sandbox.run(handle, "echo up"),
        async () => rig.sandbox.run(await rig.provision(), "echo up"),
      ]) {
        await rig.machine.force(state);
        expect(await use()).toMatchObject({ code: 0, stdout: "up\n" });
      }
    },
  );

  test("Q12 losing the race for a name adopts the winner's machine, warm", async () => {
    await using rig = new Rig();
    await rig.plane.seed({ name: scopeName("qm", SCOPE) });
    // Every look before the create call misses it.
    rig.plane.faults.inject(scenarios.listHides(() => true, { times: 2 }));
    expect(await rig.provision()).toMatchObject({ coldStart: false });
    expect(rig.plane.recorder.of("machines.create").map((call) => call.outcome)).toEqual(["error"]);
    expect(rig.plane.survivors()).toHaveLength(1);
  });

  test("Q12 a create whose answer is lost is found, not made twice", async () => {
    await using rig = new Rig();
    rig.plane.faults.inject(scenarios.answerLost("machines.create", 4));
    await rig.provision();
    expect(rig.plane.survivors().map((machine) => machine.name)).toEqual([scopeName("qm", SCOPE)]);
  });

  test("Q13 the second provision is warm, has the same id and makes nothing; only the first tells about it", async () => {
    await using rig = new Rig();
    const told: string[] = [];
    const onStatus = (text: string): void => {
      told.push(text);
      throw new Error("a listener in trouble");
    };
    const first = await rig.sandbox.provision(LAYERS, { onStatus });
    const second = await rig.sandbox.provision(LAYERS, { onStatus });
    expect([first.coldStart, second.coldStart, first.id === second.id, told.length]).toEqual([true, false, true, 1]);
    expect(rig.plane.recorder.of("machines.create")).toHaveLength(1);
  });

  test("Q14 a machine that was destroyed outside is an error once, and made again by provision", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    const first = rig.machine.id;
    await rig.machine.delete();
    await expect(rig.sandbox.run(handle, "true")).rejects.toThrow(`boxd exec ${handle.id}`);
    expect(await rig.provision()).toMatchObject({ coldStart: true });
    expect(rig.machine.id).not.toBe(first);
    expect((await rig.sandbox.run(handle, "echo again")).stdout).toBe("again\n");
  });

  test("Q14 provision needs no failed command to notice, and waits for a machine that is just being deleted", async () => {
    await using rig = new Rig({}, { steps: { destroy: 8 } });
    await rig.provision();
    await rig.machine.delete();
    const handle = await rig.provision();
    expect([handle.coldStart, (await rig.sandbox.run(handle, "echo new")).stdout]).toEqual([true, "new\n"]);
  });

  test("Q14 E-49 (fountain #778): a machine that another process replaced is an error once, with its cause, and then found", async () => {
    await using rig = new Rig();
    await using other = rig.another();
    const handle = await rig.provision();
    await rig.machine.delete();
    await other.provision(LAYERS);
    const error = await rig.sandbox.run(handle, "true").then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(error?.cause).toMatchObject({ kind: "not-found" });
    expect((await rig.sandbox.run(handle, "echo found")).stdout).toBe("found\n");
  });

  test("Q10 starting has its own time: a short command does not lose its few seconds to it", async () => {
    await using rig = new Rig({}, { steps: { boot: 500 } });
    const handle = await rig.provision();
    await rig.machine.force("stopped");
    expect(await rig.sandbox.run(handle, "echo quick", { timeoutMs: 4500 })).toMatchObject({
      code: 0,
      stdout: "quick\n",
    });
  });

  test("Q15 restart reboots and waits; a refusal surfaces", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    await rig.sandbox.startProcess(handle, "sleep 300");
    expect(rig.machine.processes().length).toBeGreaterThan(0);
    await rig.sandbox.restartComputer(SCOPE);
    expect([rig.machine.status, rig.machine.processes()]).toEqual(["running", []]);
    rig.plane.faults.inject(scenarios.refused("machines.reboot", 13, "upstream reboot failed"));
    await expect(rig.sandbox.restartComputer(SCOPE)).rejects.toThrow(
      /^boxd reboot qm-channel-c123-\w{6}: .*upstream reboot failed$/,
    );
    await expect(rig.sandbox.restartComputer("nobody")).rejects.toThrow("not found");
  });

  test("Q16 the status tells the machine from the guest, and wakes nothing", async () => {
    // The guest is given 15 seconds to answer; here they pass quickly.
    await using rig = new Rig({ driver: { clock: fastClock(30) } }, { quirks: { parkedWakes: true } });
    await rig.provision();
    expect(await rig.sandbox.computerStatus(SCOPE)).toEqual({ machine: "running", guestResponsive: true });
    rig.plane.faults.inject(scenarios.refused("machines.exec", 13, "agent is broken", { times: Infinity }));
    expect(await rig.sandbox.computerStatus(SCOPE)).toEqual({ machine: "running", guestResponsive: false });
    rig.plane.faults.clear();
    // What was asked of the broken agent may still be on its way, and would wake the machine.
    await vi.waitFor(() => expect(rig.plane.isBusy()).toBe(false));
    for (const state of ["suspended", "stopped"] as const) {
      await rig.machine.force(state);
      expect(await rig.sandbox.computerStatus(SCOPE)).toEqual({ machine: state, guestResponsive: false });
      expect(rig.machine.status).toBe(state);
    }
    const absent = { machine: expect.stringMatching(/^check failed: .*not found$/), guestResponsive: false };
    expect(await rig.sandbox.computerStatus("nobody")).toEqual(absent);
    rig.plane.steps.tombstone = 0;
    await rig.machine.delete();
    expect(await rig.sandbox.computerStatus(SCOPE)).toEqual({ machine: "destroying", guestResponsive: false });
    for (const look of [1, 2]) expect(await rig.sandbox.computerStatus(SCOPE), `look ${String(look)}`).toEqual(absent);
    rig.plane.faults.inject(scenarios.refused("machines.list", 7, "not allowed", { times: Infinity }));
    expect(await rig.sandbox.computerStatus(SCOPE)).toEqual({
      machine: expect.stringMatching(/^check failed: .*not allowed$/),
      guestResponsive: false,
    });
  });

  test("Q17 teardown keeps the machine; destroy deletes it, also when it is gone already", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    await rig.sandbox.teardown(handle);
    await rig.sandbox.teardown(handle, { keepWarm: true });
    expect(rig.machine.status).toBe("running");
    await rig.sandbox.teardown(handle, { destroy: true });
    expect(rig.plane.survivors()).toEqual([]);
    await rig.sandbox.teardown(handle, { destroy: true });
    expect(rig.incidents).toEqual([]);
  });

  test("Q17 a deletion that fails is reported with its scope, and not thrown", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    rig.plane.faults.inject(scenarios.refused("machines.delete", 7, "not allowed", { times: Infinity }));
    await rig.sandbox.teardown(handle, { destroy: true });
    expect(rig.incidents).toEqual([
      {
        category: "sandbox_teardown",
        code: "machine_delete_failed",
        scopeLabel: SCOPE,
        message: expect.stringContaining("not allowed"),
      },
    ]);
  });

  test.each<[string, readonly Fault[]]>([
    ["alternates", [scenarios.listFlaps({ times: 6 })]],
    ["is stale and then alternates", [scenarios.listHides(() => true), scenarios.listFlaps({ times: 6 })]],
    ["is stale twice", [scenarios.listHides(() => true), scenarios.listHides(() => true)]],
    ["is stale and then only a first page", [scenarios.listHides(() => true), scenarios.listPage(1)]],
  ])("Q17 a backend that knows no id destroys the machine all the same: a listing that %s", async (_title, faults) => {
    await using rig = new Rig();
    await rig.plane.seed({ name: "aaa" });
    const handle = await rig.provision();
    await using fresh = rig.another();
    for (const fault of faults) rig.plane.faults.inject(fault);
    await fresh.teardown(handle, { destroy: true });
    expect([rig.plane.survivors().map(({ name }) => name), rig.incidents]).toEqual([["aaa"], []]);
  });

  test("Q17 destroy takes the scope's machine, also one that another process has made since; a scratch machine only if it is its own", async () => {
    await using rig = new Rig();
    await using other = rig.another();
    const first = await rig.provision();
    await other.teardown(first, { destroy: true });
    await other.provision(LAYERS);
    await rig.sandbox.teardown(first, { destroy: true });
    expect([rig.plane.survivors(), rig.incidents]).toEqual([[], []]);
    const scratch = { scratch: { key: "job" } };
    const mine = await rig.sandbox.provision(LAYERS, scratch);
    const theirs = await other.provision(LAYERS, scratch);
    await rig.sandbox.teardown(mine);
    expect((await other.run(theirs, "echo there")).stdout).toBe("there\n");
  });

  test("Q21 concurrent provisions make one machine, and a teardown waits its turn", async () => {
    await using rig = new Rig();
    const handles = await Promise.all([rig.provision(), rig.provision(), rig.provision()]);
    expect(handles.map((handle) => handle.coldStart)).toEqual([true, false, false]);
    expect(rig.plane.survivors()).toHaveLength(1);
    const [handle] = handles;
    if (handle === undefined) throw new Error("no handle");
    const [, again] = await Promise.all([rig.sandbox.teardown(handle, { destroy: true }), rig.provision()]);
    expect(again.coldStart).toBe(true);
    expect(rig.plane.survivors()).toHaveLength(1);
  });

  test("Q21 two backends that race for one scope share one machine", async () => {
    await using rig = new Rig();
    await using other = rig.another();
    const handles = await Promise.all([rig.provision(), other.provision(LAYERS)]);
    expect(rig.plane.survivors()).toHaveLength(1);
    expect(new Set(handles.map((handle) => handle.id)).size).toBe(1);
  });

  test("Q24 sizes are asked for and advertised; without them nothing is sent", async () => {
    await using rig = new Rig({ vcpu: 4, diskGb: 100, extraTools: ["aws  the AWS CLI", "jq"] });
    await rig.provision();
    expect(rig.plane.recorder.of("machines.create")[0]?.args[0]).toMatchObject({ config: { vcpu: 4, disk: "100G" } });
    expect(rig.sandbox.profile).toMatchObject({
      backend: "boxd",
      writablePersistence: "resident_disk",
      processSessions: true,
      egressEnforcement: "none",
      spec: { cpus: 4, memoryMb: 16_384, diskGb: 100, homeDir: "/home/boxd", workdir: "/home/boxd/workspace" },
    });
    expect(rig.sandbox.profile.spec?.tools).toEqual([
      "git",
      "curl",
      "jq",
      "tar",
      "python3",
      "gh",
      "docker",
      "aws  the AWS CLI",
    ]);
    expect(rig.sandbox.profile.spec?.notInstalled).not.toContain("aws");
    await using plain = new Rig();
    await plain.provision();
    expect(plain.plane.recorder.of("machines.create")[0]?.args[0]).not.toHaveProperty("config");
    expect(plain.sandbox.profile.spec).not.toHaveProperty("cpus");
  });

  test("an unused machine is hibernated after four hours, and used again as if nothing had been", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    expect(rig.machine.timers.idle).toEqual({ suspendAfter: 0, hibernateAfter: 14_400 });
    await rig.machine.force("hibernated");
    expect((await rig.sandbox.run(handle, "echo awake")).stdout).toBe("awake\n");
  });
});
