import fc from "fast-check";
import { expect, test } from "vitest";
import { LineIndex } from "../../src/diagnostics/source.ts";
import { runs } from "../support/runs.ts";

/** Where an offset is, by the definition: lines end at LF, CRLF or a lone CR. */
function counted(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let at = 0; at < offset; at++) {
    if (text[at] === "\n" || (text[at] === "\r" && text[at + 1] !== "\n")) {
      line++;
      start = at + 1;
    }
  }
  return { line, column: offset - start + 1 };
}

test("positions are those of counting line ends, in texts with line ends of every kind", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "\n", "\r", "\r\n", "\u2028"), maxLength: 12 }), (text) => {
      const lines = new LineIndex(text);
      for (let offset = 0; offset <= text.length; offset++)
        expect(lines.position(offset), JSON.stringify([text, offset])).toEqual({ ...counted(text, offset), offset });
    }),
    { numRuns: runs(50, 500) },
  );
});
