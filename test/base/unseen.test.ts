import { describe, expect, test } from "vitest";
import { findUnseen } from "../../src/base/unseen.ts";

/** What is found in a value, as its code point. */
function code(text: string, isKey: boolean): string | null {
  return /U\+[0-9A-F]+/.exec(findUnseen(text, isKey)?.what ?? "")?.[0] ?? null;
}

describe("what cannot be meant", () => {
  test.each([
    ["sk-ant-\u200babc", "U+200B"],
    ["sk-ant-\ufeffabc", "U+FEFF"],
    ["\ufeffsk-ant-abc", "U+FEFF"],
    ["sk-ant-\u00adabc", "U+00AD"],
    ["sk-ant-\u2060abc", "U+2060"],
    ["sk-ant-\u202eabc", "U+202E"],
    ["sk-ant-\u2066abc", "U+2066"],
    ["sk-ant-\u200eabc", "U+200E"],
    ["sk-ant-\u200dabc", "U+200D"],
    ["sk-ant-\ufe0fabc", "U+FE0F"],
    ["sk-ant-\u061cabc", "U+061C"],
    ["sk-ant-\u180eabc", "U+180E"],
    ["sk-ant-\u3164abc", "U+3164"],
    ["sk-ant-\u2800abc", "U+2800"],
    ["sk-ant-\u{e0041}abc", "U+E0041"],
    ["sk-ant-\u0085abc", "U+0085"],
    ["sk-ant-\ufffdabc", "U+FFFD"],
    ["sk-ant-\uffffabc", "U+FFFF"],
    ["sk-ant-\u2028abc", "U+2028"],
    ["sk-ant-\u00a0abc", "U+00A0"],
    ["sk-ant-abc\u00a0", "U+00A0"],
    ["\u3000sk-ant-abc", "U+3000"],
    ["sk-ant-\u2003abc", "U+2003"],
    ["sk-ant-\u001b[2Jabc", "U+001B"],
    ["sk-ant-\babc", "U+0008"],
    ["sk-ant-abc\u007f", "U+007F"],
    ["two w\u001bords", "U+001B"],
    ["two words\u00a0", "U+00A0"],
    ["two w\u200bords", "U+200B"],
    ["two w\u202eords", "U+202E"],
  ])("%j", (text, found) => {
    expect(code(text, true)).toBe(found);
    expect(code(text, false)).toBe(found);
  });

  test.each([
    ["\u201c5dfb11bfd5739937\u201d", "U+201C"],
    ["\u20185dfb11bfd5739937\u2019", "U+2018"],
    ["\u00ab5dfb11bfd5739937\u00bb", "U+00AB"],
    ["sk\u2013ant\u2013abc", "U+2013"],
    ["sk-ant-api03\u2026", "U+2026"],
    ["-----BEGIN\u2014KEY", "U+2014"],
  ])("%j, in a key", (text, found) => {
    expect(code(text, true)).toBe(found);
    expect(code(text, false)).toBeNull();
  });
});

test.each([
  "sk-ant-abc",
  "two words",
  "Acme GmbH & Co",
  "caf\u00e9",
  "Z\u00fcrich \u2013 Bern",
  "\u201cAcme\u201d says hello",
  "caf\u00e9\u2019s",
  "Prix\u00a0: dix euros",
  "10\u202f000 euros par mois",
  "\u{1f469}\u200d\u{1f4bb}",
  "Acme \u2764\ufe0f qm",
  "1\ufe0f\u20e3",
  "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
  "\u0915\u094d\u200d\u0937",
  "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}",
  "\u65e5\u672c\u8a9e",
  "p\u00e4ssw\u00f6rd",
  "tab\there",
  "two\nlines",
  "two\r\n\tlines",
  "",
])("%j may be meant", (text) => {
  expect(findUnseen(text, true)).toBeNull();
  expect(findUnseen(text, false)).toBeNull();
});
