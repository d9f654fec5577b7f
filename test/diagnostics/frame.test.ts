import * as fc from "fast-check";
import { expect, test } from "vitest";
import { FrameSource } from "../../src/diagnostics/frame.ts";
import type { FrameLine } from "../../src/diagnostics/frame-line.ts";
import { LineIndex } from "../../src/diagnostics/source.ts";
import { textWidth } from "../../src/base/width.ts";
import { runs } from "../support/runs.ts";

/** A line of a frame as text, what is underlined below it: `^` for the first mark, `-` for the others. */
function asText({ number, text, markers }: FrameLine): string[] {
  const below = markers.map(({ mark, start, width, label }) =>
    `^|${" ".repeat(start)}${(mark === 0 ? "^" : "-").repeat(width)} ${label ?? ""}`.trimEnd(),
  );
  return [`${number}|${text}`, ...below];
}

/** A frame around one place. */
function drawn(
  text: string,
  slice: string,
  kind: "env" | "text" = "text",
  columns = 60,
  secret: string | null = null,
): string[] {
  const at = text.indexOf(slice);
  const range = new LineIndex(text).range(at, at + slice.length);
  return new FrameSource(text, kind).frame([{ range, label: null }], secret, columns).flatMap(asText);
}

test("shows a line of context on each side and underlines the range", () => {
  expect(drawn('{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', '"b"')).toEqual([
    '2|  "a": 1,',
    '3|  "b": 2,',
    "^|  ^^^",
    '4|  "c": 3',
  ]);
});

test("tabs reach the next stop, wide characters take two columns, marks none", () => {
  expect(drawn('\t"漢e\u0301": x1', "x1")).toEqual(['1|    "漢e\u0301": x1', "^|           ^^"]);
});

test("escapes what could move the cursor and keeps the underline in place", () => {
  expect(drawn('"\u001b[2Ja\u202e": bad', "bad")).toEqual(['1|"\\x1b[2Ja\\u202e": bad', "^|                  ^^^"]);
});

test("hides a secret and underlines what stands for it", () => {
  expect(drawn('"API_KEY": "hunter2"', '"hunter2"')).toEqual(['1|"API_KEY": "•••"', "^|           ^^^^^"]);
});

test("a finding about a secret shows no value whose name stands before the place that it points at", () => {
  expect(drawn("{\n  DB_PASSWORD=hunter2\n}", "hunter2", "text", 60, "holds a password")).toEqual([
    "1|{",
    "2|  DB_PASSWORD=•••",
    "^|              ^^^",
    "3|}",
  ]);
});

test("what was blanked out stands as a mask of one width, in a comment too", () => {
  const blank = "\uf8ff".repeat(20);
  expect(drawn(`{ "a": "x ${blank} y" } // ${blank}`, '"a"')).toEqual(['1|{ "a": "x ••• y" } // •••', "^|  ^^^"]);
});

const BLANKED = "\uf8ff".repeat(20);

test.each([
  [
    "a comment",
    `// key ${BLANKED}, it is\n"publicUrl": "https://x", "b": "c"`,
    BLANKED,
    '1|// key •••, it is\n^|       ^^^\n2|"publicUrl": "https://x", "b": "c"',
  ],
  [
    "a comment as a whole",
    `// key ${BLANKED}\n"a": "b"`,
    `// key ${BLANKED}`,
    '1|// key •••\n^|^^^^^^^^^^\n2|"a": "b"',
  ],
  ["a block comment", `/* ${BLANKED} */ "a": "b"`, `/* ${BLANKED} */`, '1|/* ••• */ "a": "b"\n^|^^^^^^^^^'],
  ["a key", `"${BLANKED}": "x", "b": "c"`, `"${BLANKED}"`, '1|"•••": "•••", "b": "c"\n^|^^^^^'],
  ["a value", `"a": "${BLANKED}", "b": "c"`, '"a"', '1|"a": "•••", "b": "c"\n^|^^^'],
  ["bare", `"a": ${BLANKED}, "b": "c"`, BLANKED, '1|"a": •••, "b": "c"\n^|     ^^^'],
])("a finding about a secret that was blanked out shows no length and no more: %s", (_, text, slice, expected) =>
  expect(drawn(text, slice, "text", 60, "it is a secret").join("\n")).toBe(expected),
);

test("a comment between a key and its value ends nothing of what a finding is about", () => {
  const text = '"PASS": /* a, or b } */ "plain words", "b": "c"';
  const [line = ""] = drawn(text, '"PASS"', "text", 60, "it is a secret");
  expect(line).not.toContain("plain");
  expect(line).toContain('"•••", "b": "c"');
});

test("shows of an env file one line, and of it only the name", () => {
  expect(drawn("A=one\nBOXD_API_KEY=two\nC=three\n", "BOXD_API_KEY", "env")).toEqual([
    "2|BOXD_API_KEY=•••",
    "^|^^^^^^^^^^^^",
  ]);
});

test("CRLF, lone CR and LF end lines alike", () => {
  expect(drawn("a\r\nb\rbad\nc", "bad")).toEqual(["2|b", "3|bad", "^|^^^", "4|c"]);
});

test("a long line is cut around the range", () => {
  const text = `${"x ".repeat(300)}HERE${" y".repeat(300)}`;
  const [line, marker] = drawn(text, "HERE");
  expect(line).toMatch(/^1\|….*HERE.*…$/);
  expect(textWidth((line as string).slice(2))).toBeLessThanOrEqual(60);
  expect((marker as string).indexOf("^", 2)).toBe((line as string).indexOf("HERE"));
});

test("a finding about a secret hides the value that it is about, but for what its message shows, and no neighbour", () => {
  const text = [
    '{ "core": {',
    '  "VCPU": "4", "SCOPES": "{\\"team\\":\\"boxx\\"}",',
    '  "SMTP": "plain words", "ORG": "acme",',
    '  "LIST": ["one", "two"], "B": "c" } }',
  ].join("\n");
  expect(drawn(text, '"SMTP"', "text", 60, "it is a secret").filter((line) => !line.startsWith("^"))).toEqual([
    '2|  "VCPU": "4", "SCOPES": "{\\"team\\":\\"boxx\\"}",',
    '3|  "SMTP": "•••", "ORG": "acme",',
    '4|  "LIST": ["one", "two"], "B": "c" } }',
  ]);
  expect(drawn(text, '"LIST"', "text", 60, "`two` is no name")).toContain('4|  "LIST": ["•••", "two"], "B": "c" } }');
  expect(drawn(text, '"one"', "text", 60, "it is a secret")).toContain('4|  "LIST": ["•••", "two"], "B": "c" } }');
});

test("a command of a log is broken in a frame as well, and the columns stay true", () => {
  expect(drawn('"a": "##vso[x]", "b": 1', '"b"')).toEqual([
    '1|"a": "\\x23#vso[x]", "b": 1',
    "^|                    ^^^",
  ]);
});

/** A frame around several places, each labelled with its slice. */
function drawnTogether(text: string, slices: readonly string[], columns = 60, secret: string | null = null): string[] {
  const lines = new LineIndex(text);
  const marks = slices.map((slice, mark) => {
    const at = text.indexOf(slice);
    return { range: lines.range(at, at + slice.length), label: mark === 0 ? null : slice };
  });
  return new FrameSource(text, "text").frame(marks, secret, columns).flatMap(asText);
}

test("two places of a text are shown in one frame, in its order, and nothing of what is between", () => {
  expect(
    drawnTogether('{\n  "a": 1,\n  "b": 2,\n  "c": 3,\n  "d": 4,\n  "e": 5,\n  "f": 6\n}', ['"f"', '"b"']),
  ).toEqual([
    '2|  "a": 1,',
    '3|  "b": 2,',
    '^|  --- "b"',
    '4|  "c": 3,',
    '6|  "e": 5,',
    '7|  "f": 6',
    "^|  ^^^",
    "8|}",
  ]);
});

test("two places of a line are shown below it, and each by itself where the line is too long for both", () => {
  expect(drawnTogether('"a": 1, "b": 2', ['"b"', '"a"'])).toEqual(['1|"a": 1, "b": 2', "^|        ^^^", '^|--- "a"']);
  const long = drawnTogether(`"a": 1, ${" ".repeat(100)}"b": 2`, ['"b"', '"a"']);
  expect(long.map((line) => line.replace(/ +/g, " "))).toEqual(['1|… "b": 2', "^| ^^^", '1|"a": 1, …', '^|--- "a"']);
});

test("both places of a finding about a secret hide their value", () => {
  const text = '{\n  "one": "plain words",\n  "x": 1,\n  "two": "plain words"\n}';
  expect(drawnTogether(text, ['"two"', '"one"'], 60, "it is a secret").join("\n")).not.toContain("plain");
});

test("a range over a few lines is underlined on each, one over many on its first", () => {
  expect(drawn("{\n  a\n}\n", "{\n  a\n}")).toEqual(["1|{", "^|^", "2|  a", "^|  ^", "3|}", "^|^", "4|"]);
  const long = "[\n1,\n2,\n3,\n4,\n5\n]";
  expect(drawn(long, long)).toEqual(["1|[", "^|^", "2|1,"]);
});

test("an empty range at the end of a file is drawn", () => {
  const text = '{ "a": 1';
  const range = new LineIndex(text).range(text.length, text.length);
  expect(new FrameSource(text, "text").frame([{ range, label: null }], null, 60)).toEqual([
    { number: 1, text, markers: [{ mark: 0, start: 8, width: 1, label: null }] },
  ]);
});

test("never throws, and stays within its columns, whatever the text and the range", () => {
  const unit = fc.constantFrom(
    "\n",
    "\r\n",
    "\t",
    '"',
    ":",
    "a",
    "key",
    "漢",
    "\u0301",
    "\u001b",
    "\ud800",
    "3f9a8b7c6d5e4f3a",
    "\uf8ff",
    "//",
    " ",
  );
  fc.assert(
    fc.property(
      fc.string({ unit, maxLength: 60 }),
      fc.nat(80),
      fc.nat(80),
      fc.boolean(),
      (text, from, length, secret) => {
        const lines = new LineIndex(text);
        const marks = [
          { range: lines.range(from, from + length), label: null },
          { range: lines.range(length, length + 3), label: "there" },
        ];
        for (const kind of ["env", "text"] as const) {
          const frame = new FrameSource(text, kind).frame(marks, secret ? "" : null, 50);
          expect(new Set(frame.flatMap(({ markers }) => markers.map(({ mark }) => mark)))).toEqual(new Set([0, 1]));
          expect(frame.map(({ number }) => number)).toEqual(
            frame.map(({ number }) => number).toSorted((a, b) => a - b),
          );
          for (const line of frame) {
            expect(textWidth(line.text)).toBeLessThanOrEqual(50);
            expect(line.text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\uf8ff]/u);
            for (const { start, width } of line.markers) expect(start + width).toBeLessThanOrEqual(52);
          }
        }
      },
    ),
    { numRuns: runs(100, 1_000) },
  );
});

test("of a line of a megabyte only what is near the marker is drawn, as it is of a shorter one", () => {
  const piece = '"ü😀": "x", "API_TOKEN": "Zq8kW3nR5tY7uB2vC4", ';
  const long = `{${piece.repeat(20_000)}"here": 1, ${piece.repeat(20_000)}"last": 2}`;
  // The same around the marker, in a line that is short enough to be drawn whole.
  const short = `{${piece.repeat(30)}"here": 1, ${piece.repeat(30)}"last": 2}`;
  expect(long.length).toBeGreaterThan(1_000_000);
  expect(drawn(long, '"here"')).toEqual(drawn(short, '"here"'));
  expect(drawn(long, '"last"').at(-1)).toBe(drawn(short, '"last"').at(-1));
  expect(drawn(long, "{")).toEqual(drawn(short, "{"));
  for (const slice of ['"here"', '"last"', "{"]) expect(drawn(long, slice).join(), slice).not.toContain("Zq8k");
});

test("a value that fills a very long line is one mask, and what was left out is told", () => {
  const text = `{"API_TOKEN": "${"Zq8kW3nR5t".repeat(1_000)}", "b": 1}`;
  const [line = "", mark = ""] = drawn(text, '"b"');
  expect(line).toContain("•••");
  expect(line).not.toContain("Zq8k");
  expect(line.startsWith("1|…")).toBe(true);
  expect(line.slice(mark.indexOf("^", 2), mark.lastIndexOf("^") + 1)).toBe('"b"');
});
