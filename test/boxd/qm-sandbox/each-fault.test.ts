/** I1 to I4, I6 and I7 through the backend over the life of a scope's machine, under each kind of fault of `fault-kinds.ts`, every run. */
import { afterAll, describe, expect, test } from "vitest";
import { eachKind, kindsBeside } from "../../support/boxd-fake/random-faults.ts";
import { inTurn } from "../../support/runs.ts";
import { hold } from "./hold.ts";
import type { Step } from "./model.ts";
import { DiskWorkspace, needsProcesses, skipWithoutProcesses } from "./rig.ts";

/** Made, used, put to sleep, used, stopped, used, forgotten by qm, and destroyed. */
const LIFE: readonly Step[] = [
  "provision",
  "write",
  "run",
  "read",
  "sleeps",
  "run",
  "stops",
  "run",
  "qm-restarts",
  "provision",
  "backup",
  "destroy",
];
/** Its calls, each with the number of the one to strike: of `exec`, one of qm's own command. */
const CALLS = { create: 1, get: 2, list: 1, delete: 1, start: 1, resume: 1, exec: 5, "files.upload": 1 };
const eachFault = eachKind(CALLS, ["create", "exec", "delete"]);

describe.skipIf(skipWithoutProcesses)(`every kind of fault through the backend${needsProcesses}`, () => {
  const workspace = new DiskWorkspace();
  afterAll(() => workspace.remove());

  test("is one of a machine's life", () => {
    expect(kindsBeside(eachFault)).toEqual([]);
  });

  // A third of them in the quick tier, another one for each adapter.
  test.each(inTurn(eachFault, 3, 2))("I1 I2 I3 I4 I6 I7 over a machine's life under $how of $method", async (plan) => {
    // None of its commands is endless, so time can stand still while one runs.
    expect(await hold(workspace, LIFE, [plan], 0), "the fault did strike").toEqual([]);
  });
});
