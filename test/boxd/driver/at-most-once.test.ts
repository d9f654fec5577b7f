/** What must not be sent twice is counted where it arrives: what the guest or the name of a machine prevents a second time must not hide it. */
import { describe, expect, test } from "vitest";
import type { BoxdDriverError } from "../../../src/boxd/driver/index.ts";
import { countedCommand, grpcError, repeatedRuns, scenarios, type Fault } from "../../support/boxd-fake/index.ts";
import { jumpRig, needsProcesses, skipWithoutProcesses } from "./rig.ts";

/** Errors after which a call may have had its effect, each before it has any and after it has all. */
function unknownOutcomes(method: string): [title: string, fault: Fault][] {
  const errors: [string, () => unknown][] = [
    ...[1, 2, 4, 10, 13, 14].map((code): [string, () => unknown] => [`code ${code}`, () => grpcError(code, "trouble")]),
    ["code 8", () => grpcError(8, "rate limit")],
    ["a conflict that names no reason", () => grpcError(9, "VM is busy")],
    ["a timeout of the SDK's own", () => new Error("request timed out after 60000ms")],
    ["an abort of the SDK's own", () => Object.assign(new Error("aborted"), { name: "AbortError" })],
    ["a broken socket", () => Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })],
    ["a programming error", () => new TypeError("x is not a function")],
  ];
  return (["before", "after"] as const).flatMap((when) =>
    errors.map(([title, error]): [string, Fault] => [`${title}, ${when} its effect`, { method, when, error }]),
  );
}

describe.skipIf(skipWithoutProcesses)(`sent at most once${needsProcesses}`, () => {
  test.each(unknownOutcomes("machines.create"))(
    "createOwned, %s: one create call, nothing left",
    async (_title, fault) => {
      await using rig = jumpRig();
      rig.plane.faults.inject(fault);
      await expect(rig.driver.createOwned({})).rejects.toBeInstanceOf(Error);
      expect(rig.plane.recorder.of("machines.create")).toHaveLength(1);
      expect(rig.plane.survivors()).toEqual([]);
    },
  );

  test.each(unknownOutcomes("machines.create"))(
    "getOrCreate, %s: one machine at most was made",
    async (_title, fault) => {
      await using rig = jumpRig();
      rig.plane.faults.inject(fault);
      await rig.driver.getOrCreate("qm-a", {}).catch(() => undefined);
      expect(rig.plane.allMachines().length).toBeLessThanOrEqual(1);
    },
  );

  test.each(unknownOutcomes("machines.exec"))("exec, %s: the command is sent once", async (_title, fault) => {
    await using rig = jumpRig();
    const { id } = await rig.running();
    const isRunner = (args: readonly unknown[]): boolean => (args[1] as { command: string }).command.includes("run-7");
    rig.plane.faults.inject({ ...fault, where: isRunner });
    await expect(rig.driver.exec(id, { command: countedCommand(7) })).rejects.toBeInstanceOf(Error);
    expect(rig.plane.recorder.of("machines.exec").filter(({ args }) => isRunner(args))).toHaveLength(1);
    expect(repeatedRuns(rig.plane)).toEqual([]);
  });

  test.each([
    ["an answer without an exit status", scenarios.exitStatusMissing(), true],
    ["a stream that ends without one", scenarios.exitStatusLost(), true],
    ["a stream that is cut", scenarios.streamCut(), true],
    ["a stream that is cut while the command runs", scenarios.streamCutEarly("half"), false],
  ])("exec, %s: the command is sent once", async (_title, fault, isKnown) => {
    await using rig = jumpRig();
    const { id } = await rig.running();
    const isRunner = (args: readonly unknown[]): boolean => (args[1] as { command: string }).command.includes("run-7");
    rig.plane.faults.inject({ ...fault, where: isRunner });
    const command = isKnown ? countedCommand(7) : `sleep 300; ${countedCommand(7)}`;
    const outcome = await rig.driver.exec(id, { command }).catch((error: BoxdDriverError) => error);
    expect(outcome).toMatchObject(isKnown ? { ended: "exit", exitCode: 0 } : { kind: "transient" });
    expect(rig.plane.recorder.of("machines.exec").filter(({ args }) => isRunner(args))).toHaveLength(1);
    await expect.poll(() => rig.plane.processes(), { timeout: 20_000 }).toEqual([]);
  });
});
