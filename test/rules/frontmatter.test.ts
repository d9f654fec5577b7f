import fc from "fast-check";
import { expect, test } from "vitest";
import { readSkillHead } from "../../src/deployment/skill-head.ts";
import { runs } from "../support/runs.ts";

/** Core's own way to read one line (docs/contract/qm-config.md#tools-and-skills), which takes quadratic time; a line that it does not take is null. */
function asCoreReads(line: string): readonly [key: string, rest: string] | null {
  const pair = /^([A-Za-z0-9_-]+):\s*(.*?)\r?$/.exec(line);
  return pair === null ? null : [pair[1] as string, pair[2] as string];
}

test("a line is a pair exactly when core takes it for one", () => {
  const lines = fc.string({
    unit: fc.constantFrom("a", ":", " ", "\t", "\r", "\u2028", "\u00A0", "-", "x"),
    maxLength: 12,
  });
  fc.assert(
    fc.property(lines, (line) => {
      fc.pre(!line.startsWith("---"));
      const fields = readSkillHead(`---\n${line}\n---\nbody`)?.fields;
      expect([...(fields?.keys() ?? [])]).toEqual(asCoreReads(line) === null ? [] : [asCoreReads(line)?.[0]]);
    }),
    { numRuns: runs(200, 2_000) },
  );
});

test("blocks, lists and quotes", () => {
  const text = '---\na: >\n  one\n  two\n\n  three\nb: [x]\nc: "q"\nd: |-\ne:\n---\n';
  const fields = readSkillHead(text)?.fields;
  expect(Object.fromEntries([...(fields ?? [])].map(([key, { value }]) => [key, value]))).toEqual({
    a: "one\n  two\n\n  three",
    b: ["x"],
    c: "q",
    d: "",
    e: [],
  });
});
