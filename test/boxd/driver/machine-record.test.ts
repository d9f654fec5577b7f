import { describe, expect, test } from "vitest";
import { machineRecord, machineRecords } from "../../../src/boxd/driver/machine-record.ts";
import { Rig } from "./rig.ts";

describe("a machine record", () => {
  const base = { id: "vm-1", name: "box-1", status: "running" };
  const moment = new Date("2026-01-01T00:00:00Z");

  test.each([
    [moment, moment],
    [moment.toISOString(), moment],
    [moment.getTime(), moment],
    [null, null],
    [undefined, undefined],
    ["soon", undefined],
    [new Date(Number.NaN), undefined],
    [{}, undefined],
  ])("with the moment %j", (written, read) => {
    expect(machineRecord({ ...base, createdAt: written, deleteAt: written })).toEqual({
      ...base,
      ...(read === undefined ? {} : { createdAt: read, deleteAt: read }),
    });
  });

  test.each([undefined, null, "vm-1", {}, { id: 1, name: "box-1" }])(
    "that is none (%j) is an error, not an absence",
    async (answer) => {
      expect(() => machineRecord(answer)).toThrow(/no machine record/);
      expect(() => machineRecords([base, answer])).toThrow(/no machine record/);
      expect(() => machineRecords(answer)).toThrow(/no list/);
      await using rig = new Rig();
      const { id } = await rig.running();
      rig.plane.faults.inject({ method: "machines.get", times: Infinity, change: () => answer });
      await expect(rig.driver.inspect(id, { timeoutMs: 2_000 })).rejects.toMatchObject({ kind: "unknown" });
      rig.plane.faults.inject({ method: "machines.list", times: Infinity, change: () => answer });
      await expect(rig.driver.deleteConfirmed(id, { timeoutMs: 2_000 })).rejects.toMatchObject({
        kind: "cleanup-unconfirmed",
        left: { id },
      });
    },
  );
});
