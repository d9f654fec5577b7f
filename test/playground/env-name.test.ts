import { expect, test } from "vitest";
import { envNameAt } from "../../playground/src/editor/env-name.ts";

test.each([
  ["A_KEY=x", 0, "A_KEY"],
  ["A_KEY=x", 5, "A_KEY"],
  ["A_KEY=x", 6, null],
  ["# c\n  export B = y", 13, "B"],
  ["# c\n  export B = y", 8, null],
  ["A=1\nB=2", 4, "B"],
  ["A=1\nB=2", 3, null],
  ["# A=1", 2, null],
  ["\n\nA=1", 0, null],
  ["", 0, null],
])("%j at %i: %j", (text, offset, name) => {
  const found = envNameAt(text, offset);
  expect(found?.name ?? null).toBe(name);
  if (found !== null) expect(text.slice(found.start, found.end)).toBe(name);
});
