import { describe, expect, test } from "vitest";
import { toolkitMachine } from "../../../src/boxd/driver/inventory.ts";
import { scopeName, uniqueName } from "../../../src/boxd/driver/names.ts";

const OURS = { "managed-by": "qm-deploy" };

/** A row without an owner expects none; without a kind the machine is somebody else's. */
type Row = [title: string, name: string, labels: Record<string, string> | null, kind: string | null, owner?: string];

const ROWS: readonly Row[] = [
  ["a scope's machine", scopeName("qm", "channel:C1"), { ...OURS, "qm-scope": "channel:C1" }, "qm", "channel:C1"],
  ["one of another deployment", scopeName("acme", "x"), { ...OURS, "qm-scope": "x" }, "qm", "x"],
  ["one without a word of its scope", scopeName("qm", "x"), OURS, "qm"],
  ["a scratch machine", scopeName("qm-scratch", "job"), { ...OURS, "qm-scratch": "job" }, "scratch", "job"],
  [
    "a lease",
    uniqueName("paperclip"),
    { "paperclip-provider": "boxd", "paperclip-environment": "e", "paperclip-run": "r" },
    "paperclip",
    "e r",
  ],
  ["a container", "any-name", { "managed-by": "openenv", team: "x" }, "openenv"],
  ["a smoke run's", uniqueName("qmdeploy-smoke"), OURS, "smoke"],
  ["a script's", uniqueName("qm-deploy"), OURS, "other"],
  ["a smoke run's, labels dropped", uniqueName("qmdeploy-smoke"), {}, "smoke"],
  ["a lease's, labels unknown to the SDK", uniqueName("paperclip-probe"), null, "paperclip"],
  ["a container's, labels dropped", uniqueName("openenv"), {}, "openenv"],
  ["a scope's, labels dropped", scopeName("qm", "x"), {}, "qm"],
  ["a scratch machine's, labels dropped", scopeName("qm-scratch", "x"), null, "scratch"],
  ["somebody else's", "web-1", { "managed-by": "terraform" }, null],
  ["somebody else's with a name like ours", uniqueName("openenv"), { team: "x" }, null],
  ["one of another prefix without labels", scopeName("acme", "x"), {}, null],
  ["one without labels and with no name of ours", "web-1", null, null],
  ["one with a name that merely begins like ours", "openenv-site", {}, null],
];

describe("what a machine is known by", () => {
  test.each<Row>([...ROWS])("%s: %s", (_title, name, labels, kind, owner) => {
    const machine = { id: "1", name, status: "running", labels };
    const found = toolkitMachine(machine);
    expect(found).toEqual(kind === null ? null : { machine, kind, owner: owner ?? null });
  });

  test("without labels a deployment's own prefix tells", () => {
    const machine = { id: "1", name: scopeName("acme", "x"), status: "running" };
    expect([toolkitMachine(machine)?.kind, toolkitMachine(machine, "acme")?.kind]).toEqual([undefined, "qm"]);
  });
});
