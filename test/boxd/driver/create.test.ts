import { describe, expect, test } from "vitest";
import {
  CleanupUnconfirmedError,
  type Handle,
  type Machine,
  type MachineCreateParams,
} from "../../../src/boxd/driver/index.ts";
import { fastClock, scenarios, TEST_KEY, type Fault } from "../../support/boxd-fake/index.ts";
import { jumpRig, needsProcesses, Rig, skipWithoutProcesses } from "./rig.ts";

const LABELS = { "managed-by": "openenv" };

describe.skipIf(skipWithoutProcesses)(`createOwned${needsProcesses}`, () => {
  test("makes what was asked for, timers after the machine exists, the handle before", async () => {
    await using rig = new Rig();
    const handles: Handle[] = [];
    const owned = await rig.driver.createOwned({
      namePrefix: "openenv",
      labels: LABELS,
      isolated: true,
      vcpu: 2,
      expiry: { afterSeconds: 3600 },
      onHandle: (handle) => {
        expect(rig.plane.recorder.calls).toEqual([]);
        handles.push(handle);
      },
    });
    expect(handles).toEqual([{ name: owned.name, labels: LABELS }]);
    expect(owned.name).toMatch(/^openenv-[0-9a-f]{12}$/);
    expect(owned).toMatchObject({
      id: rig.plane.machine(owned.name).id,
      labelsStored: true,
      machine: { status: "running" },
    });
    expect(rig.plane.recorder.of("machines.create").map(({ args }) => args)).toEqual([
      [{ name: owned.name, org: "acme", isolated: true, labels: LABELS, config: { vcpu: 2 } }],
    ]);
    expect(rig.plane.recorder.methods().slice(0, 2)).toEqual(["machines.create", "machines.setDeleteAfter"]);
    expect(rig.plane.recorder.of("machines.setAutoSuspendTimeout")[0]?.args[1]).toBe(0);
    expect(rig.plane.recorder.of("machines.setAutoHibernateTimeout")[0]?.args[1]).toBe(0);
  });

  test.each([
    ["vcpu 3", { vcpu: 3 }],
    ["a size with a snapshot", { fromSnapshot: "base", vcpu: 2 }],
    ["an image with a snapshot", { fromSnapshot: "base", image: "ubuntu" }],
    ["a restart policy with a snapshot", { fromSnapshot: "base", restartPolicy: "never" as const }],
    ["a delete timer of 0", { expiry: { afterSeconds: 0 } }],
    ["half a second", { expiry: { afterSeconds: 0.5 } }],
    ["a moment that is past", { expiry: { at: new Date(0) } }],
    ["a moment that no timer reaches", { expiry: { at: new Date(8.64e15) } }],
    ["no moment at all", { expiry: { at: new Date(NaN) } }],
    ["a delete timer beyond all dates", { expiry: { afterSeconds: Number.MAX_SAFE_INTEGER } }],
    ["a suspend timer that is too long", { idle: { suspendSeconds: 2_592_001, hibernateSeconds: 0 } }],
    ["a hibernate timer that is too long", { idle: { suspendSeconds: 0, hibernateSeconds: 2_592_001 } }],
    ["a bad prefix", { namePrefix: "Open" }],
    ["a bad label", { labels: { "managed by": "x" } }],
    ["a negative idle timer", { idle: { suspendSeconds: -1, hibernateSeconds: 0 } }],
  ])("%s is refused before anything is called", async (_title, spec) => {
    await using rig = new Rig();
    await expect(rig.driver.createOwned(spec)).rejects.toMatchObject({ kind: "invalid" });
    expect(rig.plane.recorder.calls).toEqual([]);
  });

  const failing: [string, Fault][] = [
    ["lost answer, 4", scenarios.answerLost("machines.create", 4)],
    ["lost answer, 14", scenarios.answerLost("machines.create", 14)],
    ["the SDK's follow-up read fails", scenarios.createReadFails()],
    ["made, never answered", scenarios.stalled("machines.create", "after")],
    ["not made, unavailable", scenarios.refused("machines.create", 14)],
    ["quota", scenarios.refused("machines.create", 8, "machine quota exceeded")],
    ["the delete timer is refused", scenarios.refused("machines.setDeleteAfter", 3, "no timer", { times: Infinity })],
    [
      "the idle timer is refused",
      scenarios.refused("machines.setAutoSuspendTimeout", 7, "no timer", { times: Infinity }),
    ],
    ["it never answers a command", scenarios.stalled("machines.exec", "before", { times: Infinity })],
  ];
  test.each(failing)("%s: the original error, and nothing is left", async (_title, fault) => {
    await using rig = jumpRig();
    rig.plane.faults.inject(fault);
    const error = await rig.driver
      .createOwned({ expiry: { afterSeconds: 900 } }, { timeoutMs: 40_000 })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(CleanupUnconfirmedError);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("a failing preparation surfaces as it is, the machine is deleted once", async () => {
    await using rig = new Rig();
    const boom = new Error("workspace");
    await expect(rig.driver.createOwned({ prepare: () => Promise.reject(boom) })).rejects.toBe(boom);
    expect(rig.plane.survivors()).toEqual([]);
    expect(rig.plane.recorder.of("machines.delete")).toHaveLength(1);
  });

  test("an abort during the call leaves nothing", async () => {
    await using rig = new Rig();
    const abort = new AbortController();
    rig.plane.faults.inject({ method: "machines.create", when: "after", hold: async () => abort.abort() });
    await expect(rig.driver.createOwned({}, { signal: abort.signal })).rejects.toMatchObject({ kind: "aborted" });
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("what cannot be deleted is named: handle, id, labels, and why it had to go", async () => {
    await using rig = jumpRig();
    rig.plane.faults.inject(scenarios.answerLost("machines.create", 4));
    rig.plane.faults.inject(scenarios.refused("machines.delete", 7, "denied", { times: Infinity }));
    const error = await rig.driver
      .createOwned({ namePrefix: "openenv", labels: LABELS })
      .catch((thrown: unknown) => thrown);
    const [machine] = rig.plane.survivors();
    expect(error).toBeInstanceOf(CleanupUnconfirmedError);
    expect(error).toMatchObject({
      left: { handle: machine?.name, name: machine?.name, id: machine?.id, labels: LABELS },
      trigger: { kind: "transient", grpcCode: 4 },
    });
  });

  test("E-23 (AutoGPT #12774): a call that stays open is named, and what it makes later is deleted", async () => {
    await using rig = jumpRig();
    let release = (): void => undefined;
    rig.plane.faults.inject({
      method: "machines.create",
      hold: () => new Promise<void>((resolve) => (release = resolve)),
    });
    const error = await rig.driver
      .createOwned({}, { timeoutMs: 5_000 })
      .catch((thrown: unknown) => thrown as CleanupUnconfirmedError);
    expect(error).toBeInstanceOf(CleanupUnconfirmedError);
    expect((error as CleanupUnconfirmedError).left.id).toBeUndefined();
    release();
    await expect
      .poll(() =>
        rig.plane
          .allMachines()
          .map(({ status }) => status)
          .join(),
      )
      .toMatch(/destroy|absent/);
  });

  test("an SDK that repeats a lost create, and is answered when its first machine is just gone: nothing is left", async () => {
    let repeat = (): Promise<unknown> => Promise.reject(new Error("nothing was lost yet"));
    await using rig = new Rig({}, (plane) => {
      const client = plane.client();
      const first = client.machines.create;
      const create = async (params: MachineCreateParams): Promise<Machine> => {
        await first(params);
        return new Promise((resolve) => {
          repeat = () => {
            const again = first(params);
            resolve(again);
            return again;
          };
        });
      };
      return { client: Object.assign(client, { machines: { ...client.machines, create } }) };
    });
    rig.plane.faults.inject({ method: "machines.list", nth: 2, hold: () => repeat() });
    await expect(rig.driver.createOwned({}, { timeoutMs: 5_000 })).rejects.toMatchObject({ kind: "timeout" });
    expect(rig.plane.recorder.of("machines.create")).toHaveLength(2);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("a wrong key is an auth error, not an unconfirmed cleanup", async () => {
    await using rig = new Rig();
    rig.plane.faults.inject(scenarios.refused("*", 16, `invalid token ${TEST_KEY}`, { times: Infinity }));
    const error = await rig.driver.createOwned({}).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ kind: "auth" });
    expect(String(error)).not.toContain(TEST_KEY);
  });

  test("a taken name of the caller's own is refused, and its machine is left alone", async () => {
    await using rig = new Rig();
    await rig.running("qm-scratch-1");
    await expect(rig.driver.createOwned({ name: "qm-scratch-1" })).rejects.toMatchObject({
      kind: "conflict",
      conflict: "name-taken",
    });
    rig.plane.faults.inject(scenarios.listHides(() => true));
    await expect(rig.driver.createOwned({ name: "qm-scratch-1" })).rejects.toMatchObject({ conflict: "name-taken" });
    expect(rig.plane.survivors()).toHaveLength(1);
  });

  test.each(["dropped", "refused"] as const)("labels that are %s do not stop anything", async (labels) => {
    await using rig = new Rig({ quirks: { labels } });
    const owned = await rig.driver.createOwned({ labels: LABELS });
    expect(owned.labelsStored).toBe(false);
    await rig.driver.deleteConfirmed(owned.id);
  });

  test("an expiry is never later than asked, and is read back", async () => {
    await using rig = new Rig(
      { clock: { wallNow: () => Date.now(), at: () => () => undefined } },
      { clock: fastClock(1), times: { pollMs: 5 } },
    );
    const at = new Date(Date.now() + 60_000);
    const { expiresAt } = await rig.driver.createOwned({ expiry: { at } });
    expect(expiresAt?.getTime()).toBeLessThanOrEqual(at.getTime());
    rig.plane.faults.inject({
      method: "machines.get",
      times: Infinity,
      change: (record) => ({ ...(record as object), deleteAt: null }),
    });
    await expect(rig.driver.createOwned({ expiry: { at } })).rejects.toThrow(/does not show it/);
  });
});

describe.skipIf(skipWithoutProcesses)(`ensure${needsProcesses}`, () => {
  test("makes once, then adopts, also from a fresh driver", async () => {
    await using rig = new Rig();
    const first = await rig.driver.getOrCreate("qm-a", {});
    const second = await rig.driver.getOrCreate("qm-a", {});
    expect([first.created, second.created]).toEqual([true, false]);
    expect(second.machine.id).toBe(first.machine.id);
  });

  test("E-48 (OpenHands #8564): two at once give one machine, in one process and in two", async () => {
    await using rig = new Rig();
    const { MachineDriver } = await import("../../../src/boxd/driver/index.ts");
    const other = new MachineDriver({ client: rig.plane.client(), clock: fastClock(50), org: "acme" });
    const all = await Promise.all([
      rig.driver.getOrCreate("qm-a", {}),
      rig.driver.getOrCreate("qm-a", {}),
      other.getOrCreate("qm-a", {}),
    ]);
    expect(new Set(all.map(({ machine }) => machine.id)).size).toBe(1);
    expect(rig.plane.survivors()).toHaveLength(1);
  });

  test.each([6, 9] as const)("a name conflict with code %d adopts the winner", async (nameTaken) => {
    await using rig = new Rig({ quirks: { nameTaken } });
    const { id } = await rig.running("qm-a");
    rig.plane.faults.inject(scenarios.listHides(() => true));
    expect(await rig.driver.getOrCreate("qm-a", {})).toMatchObject({ created: false, machine: { id } });
  });

  test.each([
    ["answer", scenarios.answerLost("machines.create", 4)],
    ["read", scenarios.createReadFails()],
  ])("E-42 (fountain #261): a lost %s of create adopts what it made", async (_t, fault) => {
    await using rig = new Rig();
    rig.plane.faults.inject(fault);
    expect((await rig.driver.getOrCreate("qm-a", {})).machine.status).toBe("running");
    expect(rig.plane.survivors()).toHaveLength(1);
  });

  test("a destroyed machine is replaced, a stopped one started", async () => {
    await using rig = new Rig({ steps: { tombstone: Infinity } });
    const gone = await rig.plane.seed({ name: "qm-a" }, "destroyed");
    const made = await rig.driver.getOrCreate("qm-a", {});
    expect(made.machine.id).not.toBe(gone.id);
    await rig.plane.machine("qm-a").force("stopped");
    expect(await rig.driver.getOrCreate("qm-a", {})).toMatchObject({
      created: false,
      machine: { id: made.machine.id, status: "running" },
    });
  });

  test("a machine with other labels is not adopted", async () => {
    await using rig = new Rig();
    await rig.plane.seed({ name: "qm-a", labels: { "managed-by": "somebody" } });
    await expect(rig.driver.getOrCreate("qm-a", {})).rejects.toMatchObject({
      kind: "conflict",
      conflict: "name-taken",
    });
  });
});

describe.skipIf(skipWithoutProcesses)(`the network of a machine${needsProcesses}`, () => {
  test("its address is https or an error, and in no message", async () => {
    await using rig = new Rig();
    const { id } = await rig.running();
    expect(await rig.driver.httpsUrl(id)).toMatch(/^https:\/\/box-1\..*[^/]$/);
    for (const url of ["http", "empty"] as const) {
      rig.plane.quirks.url = url;
      const error = await rig.driver.httpsUrl(id).catch((thrown: unknown) => thrown as Error);
      expect(error).toMatchObject({ kind: "insecure" });
      expect(String(error)).not.toContain("box-1");
    }
  });

  test("isolation that the record does not show is an error, and the machine is deleted", async () => {
    await using rig = new Rig();
    const opened = { method: "machines.get", times: Infinity } as const;
    for (const networking of [{ isolated: false }, null, undefined]) {
      rig.plane.faults.inject({ ...opened, change: (record) => ({ ...(record as object), networking }) });
      await expect(rig.driver.createOwned({ isolated: true })).rejects.toMatchObject({ kind: "insecure" });
      rig.plane.faults.clear();
    }
    expect(rig.plane.survivors()).toEqual([]);
    expect((await rig.driver.createOwned({ isolated: true })).machine.networking?.isolated).toBe(true);
  });

  test("a machine that is not isolated is not adopted where isolation is asked for", async () => {
    await using rig = new Rig();
    await rig.running("qm-a");
    await expect(rig.driver.getOrCreate("qm-a", { isolated: true })).rejects.toMatchObject({ kind: "insecure" });
    expect(rig.plane.survivors()).toHaveLength(1);
  });

  test.each<[string, Fault, boolean]>([
    ["is answered and ignored", { method: "machines.setBotProtection", skip: () => undefined, times: Infinity }, false],
    ["is refused for its shape", scenarios.refused("machines.setBotProtection", 3, "mode", { times: Infinity }), false],
    ["has lost its answer", scenarios.answerLost("machines.setBotProtection", 14), true],
  ])("the browser check that %s", async (_title, fault, isOff) => {
    await using rig = new Rig();
    const machine = await rig.running();
    rig.plane.faults.inject(fault);
    expect(await rig.driver.setBotProtection(machine.id, false)).toBe(isOff);
    expect(machine.botProtection).toBe(isOff ? "off" : "on");
  });

  test("egress, route, browser check, timers and the list of machines", async () => {
    await using rig = new Rig();
    const machine = await rig.running();
    await rig.driver.setEgressAllow(machine.id, ["none"]);
    expect(machine.egressAllow).toEqual(["none"]);
    await rig.driver.pinRoute(machine.id, 8000);
    expect(rig.plane.recorder.of("machines.proxies.setPort")[0]?.args).toEqual([machine.id, 8000]);
    expect(await rig.driver.setBotProtection(machine.id, false)).toBe(true);
    expect(machine.botProtection).toBe("off");
    await rig.plane.seed({ name: "boxes-2" });
    await rig.plane.seed({ name: "box-0", labels: { "managed-by": "somebody" } });
    const listed = await rig.driver.list({ namePrefix: "box", labels: { "managed-by": "qm-deploy" } });
    expect(listed.map(({ name }) => name)).toEqual(["box-1"]);
  });
});
