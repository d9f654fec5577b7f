import fc from "fast-check";
import { expect, test } from "vitest";
import { createTextFinder } from "../../src/base/text-finder.ts";
import { runs } from "../support/runs.ts";

const letters = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom("a", "b"), { minLength, maxLength }).map((all) => all.join(""));

test("finds what `includes` finds, where texts begin alike, overlap or hold one another", () => {
  let hits = 0;
  fc.assert(
    fc.property(fc.array(letters(3, 7), { maxLength: 8 }), letters(0, 24), (texts, text) => {
      const found = createTextFinder(texts, 3)(text);
      expect([...found].sort()).toEqual([...new Set(texts)].filter((one) => text.includes(one)).sort());
      hits += found.size;
    }),
    { numRuns: runs(300, 3_000) },
  );
  expect(hits).toBeGreaterThan(runs(20, 200));
});
