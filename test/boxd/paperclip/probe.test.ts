import { describe, expect, test } from "vitest";
import { scenarios, TEST_KEY, type Fault } from "../../support/boxd-fake/index.ts";
import { needsProcesses, Rig, skipWithoutProcesses } from "./rig.ts";

describe.skipIf(skipWithoutProcesses)(`probe${needsProcesses}`, () => {
  const probe = (rig: Rig, more = {}) => rig.hooks.onEnvironmentProbe({ ...rig.base, ...more });

  test("P04 makes a machine with a delete timer of 15 minutes, runs a command, deletes it", async () => {
    await using rig = new Rig();
    expect(await probe(rig)).toMatchObject({ ok: true });
    const methods = rig.plane.recorder.methods();
    expect(rig.plane.recorder.of("machines.setDeleteAfter")[0]?.args[1]).toBe(900);
    expect(methods.indexOf("machines.setDeleteAfter")).toBeLessThan(methods.indexOf("machines.exec"));
    expect(rig.plane.recorder.commands().some((command) => command.includes("echo ready"))).toBe(true);
    expect(rig.plane.allMachines()).toHaveLength(1);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("P04 settings that are not stored have no environment yet", async () => {
    await using rig = new Rig();
    expect(await probe(rig, { environmentId: "" })).toMatchObject({ ok: true });
    expect(rig.plane.recorder.of("machines.create")[0]?.args[0]).toMatchObject({
      labels: { "paperclip-environment": "unsaved", "paperclip-run": "probe" },
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ["a bad key", { apiKey: "bxd_wrong" }],
    ["no key", { apiKey: "" }],
    ["settings that are not valid", { vcpu: 3 }],
    ["an org that is not the key's", { org: "other" }],
  ])("P04 %s is an answer, and nothing is made", async (_name, config) => {
    await using rig = new Rig({ config });
    const result = await probe(rig);
    expect(result).toMatchObject({ ok: false, diagnostics: [{ severity: "error", message: expect.any(String) }] });
    expect(JSON.stringify(result)).not.toContain("bxd_wrong");
    expect(rig.plane.allMachines()).toEqual([]);
  });

  test.each<[string, Fault]>([
    [
      "runs no command",
      {
        method: "machines.exec",
        nth: 2,
        times: Infinity,
        skip: () => ({ stdout: "", stderr: "", exitCode: -1, success: false }),
      },
    ],
    [
      "answers something else",
      { method: "machines.exec", nth: 2, change: () => ({ stdout: "hm", stderr: "", exitCode: 0, success: true }) },
    ],
  ])("P04 a machine that %s is deleted, and the probe fails", async (_name, fault) => {
    await using rig = new Rig();
    rig.plane.faults.inject(fault);
    expect(await probe(rig)).toMatchObject({ ok: false });
    expect(rig.plane.allMachines()).toHaveLength(1);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("P04 a machine that cannot be deleted is a failure that names it, and boxd deletes it by its timer", async () => {
    await using rig = new Rig();
    rig.plane.faults.inject(scenarios.refused("machines.delete", 14, `unavailable ${TEST_KEY}`, { times: Infinity }));
    const result = await probe(rig);
    const [machine] = rig.plane.survivors();
    expect(result).toMatchObject({
      ok: false,
      diagnostics: [{ message: expect.stringContaining(machine?.name ?? "?") }],
    });
    expect(JSON.stringify(result)).not.toContain(TEST_KEY);
  });
});
