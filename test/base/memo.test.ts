import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoizeByText, memoizeLatest } from "../../src/base/memo.ts";

setFlagsFromString("--expose-gc");

describe("memoizeByText", () => {
  test("answers as the function itself does, in any order of texts", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 2 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        (texts, most) => {
          const work = (text: string): string | undefined => (text.length === 1 ? undefined : `<${text}>`);
          const remembering = memoizeByText(most, work);
          expect(texts.map(remembering)).toEqual(texts.map(work));
        },
      ),
    );
  });

  test("works an answer out once for as many texts as it promises, whatever the answer is", () => {
    for (const answer of ["x", "", null, undefined, false]) {
      let worked = 0;
      const remembering = memoizeByText(3, () => (worked++, answer));
      for (const text of ["a", "b", "c", "a", "b", "c", "c", "b", "a"]) remembering(text);
      expect(worked, String(answer)).toBe(3);
    }
  });

  test("forgets old texts, and never keeps long ones", () => {
    let worked = 0;
    const remembering = memoizeByText(2, (text) => (worked++, text.length));
    for (let at = 0; at < 100; at++) remembering(`text ${at}`);
    remembering("text 0");
    expect(worked).toBe(101);
    const long = "x".repeat(5_000);
    expect([remembering(long), remembering(long)]).toEqual([5_000, 5_000]);
    expect(worked).toBe(103);
  });
});

test("what is remembered of a file does not keep the file", () => {
  const remembering = memoizeByText(600, (text) => text.slice(1, 20));
  const before = heapUsed();
  for (let at = 0; at < 300; at++) {
    // A text of 200,000 characters, of which a piece is asked for, as a parser makes pieces.
    const file = `${String(at).padStart(20, "x")}${"y".repeat(200_000)}`;
    remembering(file.slice(0, 20));
  }
  // All files together have 60 MB.
  expect(heapUsed() - before).toBeLessThan(10_000_000);
});

function heapUsed(): number {
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

test("memoizeLatest works an answer out once for as long as one object is asked about, whatever the answer is", () => {
  const [a, b] = [{ name: "a" }, { name: "b" }];
  for (const answer of ["x", null, undefined]) {
    const worked: string[] = [];
    const remembering = memoizeLatest(({ name }: { readonly name: string }) => (worked.push(name), answer));
    expect([a, a, b, b, a].map(remembering)).toEqual([answer, answer, answer, answer, answer]);
    expect(worked).toEqual(["a", "b", "a"]);
  }
});
