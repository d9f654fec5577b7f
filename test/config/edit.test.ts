import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applyChanges } from "../../src/config/edit.ts";
import { loadConfig } from "../../src/config/load.ts";
import type { ConfigPath } from "../../src/base/config-path.ts";
import type { JsonValue } from "../../src/base/json.ts";
import type { ValueChange } from "../../src/diagnostics/diagnostic.ts";

const set = (path: ConfigPath, value: JsonValue): ValueChange => ({ kind: "set", path, value });
const remove = (path: ConfigPath): ValueChange => ({ kind: "remove", path });
const rename = (path: ConfigPath, key: string): ValueChange => ({ kind: "rename", path, key });

const PRETTY = '{\n  // about a\n  "a": 1, // a too\n\n  // about b\n  "b": 2 // b too\n  // dangling\n}';

const CASES: readonly (readonly [name: string, before: string, changes: readonly ValueChange[], after: string])[] = [
  [
    "a trailing comma is not doubled",
    '{\n  "a": 1,\n  "b": { "c": 1, },\n}\n',
    [set(["d"], 1)],
    '{\n  "a": 1,\n  "b": { "c": 1, },\n  "d": 1,\n}\n',
  ],
  [
    "an array that two changes make is laid out as the first of them makes it",
    '{\n  "b": 1\n}',
    [set(["x", 0], 0), set(["x", 1], [])],
    '{\n  "b": 1,\n  "x": [0, []]\n}',
  ],
  ["an object on one line with a trailing comma", '{ "a": 1, }', [set(["b"], 1)], '{ "a": 1, "b": 1, }'],
  [
    "a comment on the last line stays with its member",
    '{\n  "a": 1 // keep\n}',
    [set(["b"], 2)],
    '{\n  "a": 1, // keep\n  "b": 2\n}',
  ],
  [
    "also behind a trailing comma",
    '{ "o": { "web-ui": "c", // keep\n} }',
    [set(["o", "core"], "x")],
    '{ "o": { "web-ui": "c", // keep\n  "core": "x",\n} }',
  ],
  [
    "a member stands where a comment holds it, with the comma that it needs there",
    '{\n  "a": 1,\n  // about B_X\n  // "B_X": "2",\n  "c": 3\n}',
    [set(["B_X"], "4")],
    '{\n  "a": 1,\n  // about B_X\n  "B_X": "4",\n  "c": 3\n}',
  ],
  [
    "also behind the last, which had no comma",
    '{\r\n  "a": 1\r\n  // "b": { "c": 2 }\r\n}',
    [set(["b", "d"], 4)],
    '{\r\n  "a": 1,\r\n  "b": {\r\n    "d": 4\r\n  }\r\n}',
  ],
  ["also alone", '{\n  // "b": 2\n}', [set(["b"], 4)], '{\n  "b": 4\n}'],
  [
    "a comment that only begins with it, or stands behind something, is a comment",
    '{\n  "a": 1, // "b": 1\n  // "b": {\n  //   "c": 2 }\n  // "b": 2 or so\n}',
    [set(["b"], 4)],
    '{\n  "a": 1, // "b": 1\n  "b": 4,\n  // "b": {\n  //   "c": 2 }\n  // "b": 2 or so\n}',
  ],
  [
    "a name of the environment stands behind the last of its family",
    '{\n  "B_X": "1", // x\n  "C_X": "3",\n}',
    [set(["B_Y"], "2")],
    '{\n  "B_X": "1", // x\n  "B_Y": "2",\n  "C_X": "3",\n}',
  ],
  [
    "also several at once, and what has neither comes to the end",
    '{\n  "B_X": "1",\n  // "D": "0",\n  "C_X": "3"\n}',
    [set(["B_Y"], "2"), set(["B_Z"], "2"), set(["D"], "4"), set(["E"], "5")],
    '{\n  "B_X": "1",\n  "B_Y": "2",\n  "B_Z": "2",\n  "D": "4",\n  "C_X": "3",\n  "E": "5"\n}',
  ],
  ["also on one line", '{ "B_X": "1", "C": "3" }', [set(["B_Y"], "2")], '{ "B_X": "1", "B_Y": "2", "C": "3" }'],
  ["CRLF", '{\r\n\t"a": 1\r\n}\r\n', [set(["b", "c"], 1)], '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 1\r\n\t}\r\n}\r\n'],
  ["null becomes an object", '{"x":null}', [set(["x"], { core: "y" })], '{"x":{"core":"y"}}'],
  ["a byte order mark", '\ufeff{"a":1}', [set(["a"], 2)], '\ufeff{"a":2}'],
  [
    "a comment before the first of two on a line",
    '{ "a": 1, /* x */ "b": 2 /* y */ }',
    [remove(["a"])],
    '{ /* x */ "b": 2 /* y */ }',
  ],
  ["comments on both sides of the last on a line", '{ "a": 1, /* x */ "b": 2 /* y */ }', [remove(["b"])], '{ "a": 1 }'],
  ["append behind a comment on one line", '{ "a": 1 /* y */ }', [set(["c"], 1)], '{ "a": 1 /* y */, "c": 1 }'],
  [
    "remove the last: no comma is left over",
    PRETTY,
    [remove(["b"])],
    '{\n  // about a\n  "a": 1 // a too\n\n  // dangling\n}',
  ],
  [
    "remove the first with both of its comments",
    PRETTY,
    [remove(["a"])],
    '{\n\n  // about b\n  "b": 2 // b too\n  // dangling\n}',
  ],
  [
    "what is commented out above stays",
    '{\n  // about a\n  // "a": 1,\n  // about b\n  "b": 2 // b too\n}',
    [remove(["b"])],
    '{\n  // about a\n  // "a": 1,\n}',
  ],
  [
    "a comment at the end stays at the end",
    PRETTY,
    [set(["c"], [1])],
    PRETTY.replace("2 // b too", '2, // b too\n  "c": [1]'),
  ],
  ["the only item of an array", '{"a":[1]}', [remove(["a", 0])], '{"a":[]}'],
  ["the last item of an array on one line", '{"a":[1,2]}', [remove(["a", 1])], '{"a":[1]}'],
  [
    "a shorter array takes out what is gone",
    '{ "a": [\n  1, // one\n  2, // two\n  3 // three\n] }',
    [set(["a"], [1, 3])],
    '{ "a": [\n  1, // one\n  3 // three\n] }',
  ],
  ["the next item of an array", '{ "a": [1, 2] }', [set(["a", 2], { b: 3 })], '{ "a": [1, 2, { "b": 3 }] }'],
  ["an empty object", "{}", [set(["a", "b"], 1)], '{ "a": { "b": 1 } }'],
  ["an empty object over two lines", "{\n}", [set(["a"], 1)], '{\n  "a": 1\n}'],
  ["an object with nothing but a comment", '{\n    // "b": 1\n}', [set(["a"], 1)], '{\n    // "b": 1\n    "a": 1\n}'],
  ["a comma that leads its line", '{ "a": 1\n, "b": 2 }', [set(["d"], 3)], '{ "a": 1\n, "b": 2, "d": 3 }'],
  [
    "an object is changed member by member",
    '{"x":{"//":"n","y":1,"z":1}}',
    [set(["x"], { y: 2 })],
    '{"x":{"//":"n","y":2}}',
  ],
  [
    "several changes, each on what the one before left",
    '{"a":{"k":1}}',
    [rename(["a", "k"], "q"), set(["a", "q"], 2), set(["b"], 0), remove(["a"])],
    '{"b":0}',
  ],
  ["a key that looks like a path", '{ "a.b": 1 }', [set(["a.b"], 2)], '{ "a.b": 2 }'],
  ["of duplicate keys the one that counts", '{"a":1,"a":2}', [set(["a"], 3)], '{"a":1,"a":3}'],
  ["a value that is there already", '{ "a":   1.0 }', [set(["a"], 1)], '{ "a":   1.0 }'],
];

describe("edits", () => {
  test.each(CASES)("%s", (_, before, changes, after) =>
    expect(applyChanges(before, changes)).toEqual({ ok: true, text: after }),
  );

  const REFUSED: readonly (readonly [name: string, text: string, change: ValueChange])[] = [
    ["__proto__ as a step", "{}", set(["a", "__proto__", "b"], 1)],
    ["constructor", "{}", set(["constructor"], 1)],
    ["prototype as a new name", '{"a":1}', rename(["a"], "prototype")],
    ["__proto__ inside a value", "{}", set(["a"], JSON.parse('{"__proto__":1}') as JsonValue)],
    ["a comment key", "{}", set(["//"], "note")],
    ["a number that JSON has not", "{}", set(["a"], Number.POSITIVE_INFINITY)],
    ["a lone surrogate", "{}", set(["a"], "\ud800")],
    ["the whole document", "{}", set([], {})],
    ["a file that does not parse", '{"a":1', set(["a"], 2)],
    ["keys without quotes", "{a:1}", set(["b"], 2)],
    ["a key inside text", '{"a":"x"}', set(["a", "b"], 2)],
    ["an index inside an object", '{"a":{}}', set(["a", 0], 2)],
    ["an index beyond the next one", '{"a":[]}', set(["a", 1], 2)],
    ["removing what is not there", '{"a":[]}', remove(["b"])],
    ["removing an item that is not there", '{"a":[1]}', remove(["a", 1])],
    ["removing one of two equal keys", '{"a":1,"a":2}', remove(["a"])],
    ["a name that is taken", '{"a":1,"b":2}', rename(["a"], "b")],
    ["renaming an item", '{"a":[1]}', rename(["a", 0], "b")],
  ];

  test.each(REFUSED)("refused: %s", (_, text, change) => {
    const result = applyChanges(text, [change]);
    expect(result).toEqual({ ok: false, reason: expect.stringMatching(/^.{10,}$/) });
  });

  test("a refused change takes the ones before it back", () => {
    expect(applyChanges("{}", [set(["a"], 1), set(["__proto__"], 1)])).toMatchObject({ ok: false });
  });

  const CONFIGS = join(import.meta.dirname, "../cases/shared");
  const names = readdirSync(CONFIGS).filter((name) => !name.includes("json5"));
  test.each(names)("a config in the shape that operators write: %s", (name) => {
    const file = "qm.config.jsonc";
    const text = readFileSync(join(CONFIGS, name, "input", file), "utf8");
    const result = applyChanges(text, [
      set(["imageOverrides", "core"], "ghcr.io/acme/core:1"),
      set(["env", "core", "BOXD_VCPU"], "2"),
      remove(["sandbox"]),
    ]);
    if (!result.ok && !("sandbox" in loadConfig({ file, text }).config)) return;
    if (!result.ok) throw new Error(result.reason);
    const { config, document } = loadConfig({ file, text: result.text });
    expect(document.diagnostics).toEqual([]);
    expect(config.imageOverrides?.core).toBe("ghcr.io/acme/core:1");
    expect(config.env?.core?.["BOXD_VCPU"]).toBe("2");
    expect("sandbox" in config).toBe(false);
  });
});
