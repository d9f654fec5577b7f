import { expect, test } from "vitest";
import { printable } from "../../src/base/printable.ts";
import { textWidth } from "../../src/base/width.ts";

test.each([
  ["plain", 5],
  ["é", 1],
  ["e\u0301", 1],
  ["漢字", 4],
  ["ｗｉｄｅ", 8],
  ["한글", 4],
  ["ｶﾅ", 2],
  ["🚀", 2],
  ["🇩🇪", 2],
  ["〈", 2],
  ["→", 1],
  ["№", 1],
])("%s takes %i columns", (text, columns) => {
  expect(textWidth(text)).toBe(columns);
});

// Joiners are written as escapes before anything is measured.
test("a family of emoji is measured as it is printed", () => {
  expect(textWidth(printable("👩\u200d👧"))).toBe(2 + "\\u200d".length + 2);
});
