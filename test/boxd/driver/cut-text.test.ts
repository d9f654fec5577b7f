import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { beginning, ending, withoutHalfCharacter } from "../../../src/boxd/driver/cut-text.ts";
import { redactedTail } from "../../../src/boxd/driver/redact.ts";
import { redactCommand } from "../../../src/boxd/qm-sandbox/process-sessions.ts";
import { runs } from "../../support/runs.ts";
import { scenarios, untilRuns } from "../../support/boxd-fake/index.ts";
import { commandRig, LONG_MS, needsProcesses, skipWithoutProcesses } from "./rig.ts";

/** No half of a pair, wherever it stands. */
const isWhole = (text: string): boolean => !/[\uD800-\uDFFF]/u.test(text);

describe("cut text", () => {
  test("begins and ends with whole characters, and is as long as it may be", () => {
    const texts = fc.string({ unit: fc.constantFrom("a", "é", "𝒳", "👩") });
    fc.assert(
      fc.property(texts, fc.nat(20), (text, most) => {
        for (const [cut, isPart] of [
          [beginning(text, most), text.startsWith(beginning(text, most))],
          [ending(text, most), text.endsWith(ending(text, most))],
        ] as const) {
          expect([isWhole(cut), isPart, cut.length <= most]).toEqual([true, true, true]);
          expect(cut.length).toBeGreaterThanOrEqual(Math.min(most, text.length) - 1);
        }
      }),
      { numRuns: runs(200, 2_000) },
    );
  });

  test("loses what a decoder puts for the bytes of a character that is not all there", () => {
    fc.assert(
      fc.property(fc.constantFrom("é", "€", "👩"), fc.integer({ min: 1, max: 3 }), (character, count) => {
        const bytes = Buffer.from(character).subarray(0, Math.min(count, Buffer.byteLength(character) - 1));
        expect(withoutHalfCharacter(Buffer.concat([Buffer.from("ab"), bytes]).toString("utf8"))).toBe("ab");
      }),
    );
  });

  test("in messages and listings", () => {
    expect(redactedTail("x👩y", [], 2)).toBe("y");
    expect(redactCommand(`${"x".repeat(499)}👩`)).toBe("x".repeat(499));
  });
});

describe.skipIf(skipWithoutProcesses)(`output that was cut in a character${needsProcesses}`, () => {
  test.each(["", " >&2"])("ends before it, on the stream that lost its end (%j)", async (stream) => {
    await using rig = commandRig();
    const { id } = await rig.running();
    rig.plane.faults.inject(scenarios.becomes({ outputCap: 1001 }, "machines.exec"));
    const command = `printf x${stream}; for i in $(seq 400); do printf '\\303\\251'${stream}; printf '\\342\\202\\254'${stream}; done`;
    const outcome = await rig.driver.exec(id, { command });
    const seen = stream === "" ? outcome.stdout : outcome.stderr;
    expect(outcome).toMatchObject({ ended: "exit", isCut: true });
    expect(seen.length).toBeGreaterThan(350);
    expect(`x${"é€".repeat(400)}`.startsWith(seen), seen.slice(-5)).toBe(true);
  });

  test("ends before it when the command is ended in the middle of one", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    const command = "printf 'a\\342\\202'; printf 'b\\303' >&2; sleep 300";
    const running = rig.driver.exec(machine.id, { command }, { timeoutMs: LONG_MS });
    await untilRuns(machine, "300");
    rig.leap();
    expect(await running).toMatchObject({ ended: "timeout", stdout: "a", stderr: "b" });
  });
});
