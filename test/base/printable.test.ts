import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printable, printableJson } from "../../src/base/printable.ts";
import { characterWidth, textWidth } from "../../src/base/width.ts";

describe("printable", () => {
  test.each([
    ["plain text, ünïcödé 漢字 🙂", "plain text, ünïcödé 漢字 🙂"],
    ["\u001b[31mred", "\\x1b[31mred"],
    ["a\r\nb\tc", "a\\r\\nb\\tc"],
    ["\u009b2J", "\\x9b2J"],
    ["user\u202etxt.exe", "user\\u202etxt.exe"],
    ["zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"],
    ["\ud800", "\\ud800"],
    ["tag\u{e0041}", "tag\\u{e0041}"],
    ["line\u2028end", "line\\u2028end"],
    ["no\ufffe\uffff\ufdd0character\u{1ffff}", "no\\ufffe\\uffff\\ufdd0character\\u{1ffff}"],
    ["a ##vso[task.setvariable variable=x]y", "a \\x23#vso[task.setvariable variable=x]y"],
    ["###[group]", "#\\x23#[group]"],
    ["##teamcity[buildStop]", "\\x23#teamcity[buildStop]"],
    ["  ::error file=x::y", "  \\x3a:error file=x::y"],
    ["::add-mask::x", "\\x3a:add-mask::x"],
    ["## a heading, [a link], C::D and ::1", "## a heading, [a link], C::D and ::1"],
    ["fe80::1 is no ::command::", "fe80::1 is no ::command::"],
  ])("%j", (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  test("never lets a control, a format character or a lone surrogate through, and is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const shown = printable(text);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
        expect(printable(shown)).toBe(shown);
      }),
    );
  });

  test("JSON keeps its value while the same characters are escaped", () => {
    const mark = fc.constantFrom("##vso[", "##[", "\\##[", "##teamcity[", "#", "[");
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: "binary" }), mark)), (parts) => {
        const text = parts.join("");
        const json = printableJson(JSON.stringify({ text }, null, 2));
        expect(JSON.parse(json)).toEqual({ text });
        expect(json).not.toMatch(/##[A-Za-z]*\[/);
        expect(json.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
      }),
    );
  });
});

describe("width", () => {
  test.each([
    ["a", 1],
    ["é", 1],
    ["\u0301", 0],
    ["漢", 2],
    ["ｗ", 2],
    ["한", 2],
    ["🙂", 2],
    ["𠀀", 2],
    ["\u{20dd}", 0],
  ] as const)("%j", (character, width) => {
    expect(characterWidth(character)).toBe(width);
  });

  test("adds up", () => expect(textWidth("e\u0301漢x")).toBe(4));
});
