import { describe, expect, test } from "vitest";
import { scenarios } from "../../support/boxd-fake/index.ts";
import { commandRig, needsProcesses, skipWithoutProcesses } from "./rig.ts";

const CAP = 4 * 1024 * 1024;

/** A command that writes so many bytes to each stream, and ends with 3. */
function writing(stdout: number, stderr: number): string {
  return `head -c ${stdout} /dev/zero | tr '\\0' x; head -c ${stderr} /dev/zero | tr '\\0' y >&2; exit 3`;
}

describe.skipIf(skipWithoutProcesses)(`what commands write${needsProcesses}`, () => {
  test("large output is whole", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    const outcome = await rig.driver.exec(id, {
      command: "head -c 1000000 /dev/zero | tr '\\0' x; head -c 900000 /dev/zero | tr '\\0' y >&2; exit 3",
    });
    expect(outcome.exitCode).toBe(3);
    expect(outcome.stdout === "x".repeat(1_000_000)).toBe(true);
    expect(outcome.stderr === "y".repeat(900_000)).toBe(true);
  });

  test.each([
    ["the last byte of standard output", CAP + 1, 5],
    ["most of standard output", 2 * CAP, 0],
    // Its last line is the runner's own, with the counts.
    ["the end of standard error", 5, CAP],
  ])("a line that loses %s is told from one that loses nothing", async (_title, stdout, stderr) => {
    await using rig = commandRig();
    const { id } = await rig.running();
    rig.plane.faults.inject(scenarios.becomes({ outputCap: CAP }, "machines.exec"));
    const outcome = await rig.driver.exec(id, { command: writing(stdout, stderr) });
    expect(outcome).toMatchObject({ ended: "exit", exitCode: 3, isCut: true });
    expect(outcome.stdout === "x".repeat(Math.min(stdout, CAP)), "a true beginning").toBe(true);
    expect("y".repeat(stderr).startsWith(outcome.stderr), "a true beginning").toBe(true);
  });

  test.each([
    ["as much as fits", CAP, 0],
    ["nothing", 0, 0],
  ])("a command that writes %s is not called cut", async (_title, stdout, stderr) => {
    await using rig = commandRig();
    const { id } = await rig.running();
    rig.plane.faults.inject(scenarios.becomes({ outputCap: CAP }, "machines.exec"));
    expect(await rig.driver.exec(id, { command: writing(stdout, stderr) })).not.toHaveProperty("isCut");
  });

  test("bytes that are no text, and text that looks like the runner's count, do not make output cut", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    const outcome = await rig.driver.exec(id, { command: "printf '\\377\\376x'; printf '0123:1:2\\n0123:1:2\\n' >&2" });
    expect(outcome).toEqual({ ended: "exit", exitCode: 0, stdout: "\ufffd\ufffdx", stderr: "0123:1:2\n0123:1:2\n" });
  });
});
