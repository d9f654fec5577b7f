import { describe, expect, test } from "vitest";
import { scopeName } from "../../../src/boxd/driver/index.ts";
import { scenarios } from "../../support/boxd-fake/index.ts";
import { LAYERS, needsProcesses, Rig, skipWithoutProcesses } from "./rig.ts";

const SCRATCH = { scratch: { key: "job 7" } };
const NAME = scopeName("qm-scratch", "job 7");

describe.skipIf(skipWithoutProcesses)(`scratch machines${needsProcesses}`, () => {
  test("Q18 holders share one machine of its own name; the last one to let go deletes it", async () => {
    await using rig = new Rig({ credentialPaths: [{ path: ".config/gh", kind: "directory" }] });
    const first = await rig.sandbox.provision(LAYERS, SCRATCH);
    const second = await rig.sandbox.provision(LAYERS, SCRATCH);
    expect([first, second]).toMatchObject([
      { id: NAME, scratch: true, coldStart: true },
      { id: NAME, scratch: true, coldStart: false },
    ]);
    expect((await rig.sandbox.run(first, "ls -a ~ | grep config")).code).toBe(1);
    await rig.sandbox.teardown(first);
    expect(await rig.sandbox.run(second, "echo still")).toMatchObject({ stdout: "still\n" });
    await rig.sandbox.teardown(second);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("Q18 what an earlier process left under the name is deleted first", async () => {
    await using rig = new Rig();
    const left = await rig.plane.seed({ name: NAME }, "stopped");
    await rig.sandbox.provision(LAYERS, SCRATCH);
    expect(["destroying", "destroyed", "absent"]).toContain(left.status);
    expect(rig.plane.survivors().map((machine) => machine.id)).toEqual([rig.plane.machine(NAME).id]);
  });

  test("Q18 a backend that does not know the handle deletes its machine, even when a listing misses it once", async () => {
    await using rig = new Rig();
    const handle = await rig.sandbox.provision(LAYERS, SCRATCH);
    await using other = rig.another();
    rig.plane.faults.inject(scenarios.listHides((row) => row.name === NAME));
    await other.teardown(handle);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("Q18 boxd itself removes one that was forgotten", async () => {
    await using rig = new Rig();
    await rig.sandbox.provision(LAYERS, SCRATCH);
    const left = (rig.plane.machine(NAME).timers.deleteAt?.getTime() ?? Infinity) - Date.now();
    expect(left).toBeLessThanOrEqual(86_400_000);
  });

  test("Q18 a failing delete is thrown with destroy and reported without", async () => {
    await using rig = new Rig();
    rig.plane.faults.inject(scenarios.refused("machines.delete", 7, "not allowed", { times: Infinity }));
    const handle = await rig.sandbox.provision(LAYERS, SCRATCH);
    await expect(rig.sandbox.teardown(handle, { destroy: true })).rejects.toThrow("not allowed");
    expect(rig.incidents).toEqual([]);
    await rig.sandbox.teardown(handle);
    expect(rig.incidents).toMatchObject([{ category: "sandbox_teardown", code: "machine_delete_failed" }]);
  });

  test("Q18 the stale machine cannot be deleted: no second one is made beside it", async () => {
    await using rig = new Rig();
    await rig.plane.seed({ name: NAME });
    rig.plane.faults.inject(scenarios.refused("machines.delete", 7, "not allowed", { times: Infinity }));
    await expect(rig.sandbox.provision(LAYERS, SCRATCH)).rejects.toThrow("boxd provision");
    expect(rig.plane.recorder.of("machines.create")).toEqual([]);
  });

  test("Q19 a provision whose preparation fails deletes the scratch machine and throws the first error", async () => {
    await using rig = new Rig();
    // The layers' upload, which comes last; the retries of a lost answer are used up as well.
    rig.workspace.put("skills", { "a.md": "a" });
    rig.plane.faults.inject(scenarios.refused("machines.files.upload", 13, "disk is full", { times: Infinity }));
    const layers = [...LAYERS, { scopeId: "skills", mountPath: "skills", mode: "ro" as const }];
    await expect(rig.sandbox.provision(layers, SCRATCH)).rejects.toThrow("disk is full");
    expect(rig.plane.survivors()).toEqual([]);
    expect(rig.incidents).toEqual([]);
    rig.plane.faults.clear();
    expect(await rig.sandbox.provision(layers, SCRATCH)).toMatchObject({ coldStart: true });
  });

  test("Q19 the machine of a scope stays when its preparation fails", async () => {
    await using rig = new Rig();
    rig.workspace.put("skills", { "a.md": "a" });
    rig.plane.faults.inject(scenarios.refused("machines.files.upload", 13, "disk is full", { times: Infinity }));
    await expect(rig.sandbox.provision([...LAYERS, { scopeId: "skills", mountPath: "", mode: "ro" }])).rejects.toThrow(
      "disk is full",
    );
    expect(rig.plane.survivors()).toHaveLength(1);
  });

  test.each<[string, Parameters<Rig["plane"]["faults"]["inject"]>[0]]>([
    ["its answer is lost", scenarios.answerLost("machines.create", 14)],
    ["it cannot be read afterwards", scenarios.createReadFails()],
    ["its timer cannot be set", scenarios.refused("machines.setDeleteAfter", 7, "no timer", { times: Infinity })],
  ])("Q19 a scratch create leaves nothing behind when %s", async (_title, fault) => {
    await using rig = new Rig();
    rig.plane.faults.inject(fault);
    await expect(rig.sandbox.provision(LAYERS, SCRATCH)).rejects.toThrow("boxd provision");
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("Q17 Q18 a deletion that fails while its machine is being looked up names the machine all the same", async () => {
    await using rig = new Rig();
    const handles = [await rig.sandbox.provision(LAYERS, SCRATCH), await rig.sandbox.provision(LAYERS)] as const;
    // A backend that has not seen the machines yet has to look.
    await using fresh = rig.another();
    rig.plane.faults.inject(scenarios.refused("machines.list", 7, "no listing", { times: Infinity }));
    for (const handle of handles) await fresh.teardown(handle, { destroy: handle.scratch !== true });
    expect(rig.incidents.map(({ message }) => message)).toEqual(
      handles.map(({ id }) => expect.stringMatching(new RegExp(`^boxd teardown ${id}: .*no listing`))),
    );
    await expect(fresh.teardown(handles[0], { destroy: true })).rejects.toThrow(`boxd teardown ${handles[0].id}`);
  });
});
