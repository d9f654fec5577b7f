import { describe, expect, test } from "vitest";
import { scanTrivia } from "../../../src/config/trivia.ts";
import { LineIndex } from "../../../src/diagnostics/source.ts";
import { coveredLines } from "../../../src/rules/suppression/covered-lines.ts";
import { readDirective, rewrittenComment } from "../../../src/rules/suppression/directive.ts";

function read(comment: string): readonly [rules: readonly string[], reason: string | null] | null {
  const directive = readDirective(comment, { start: 0, end: comment.length });
  return directive === null ? null : [directive.rules.map(({ id }) => id), directive.reason];
}

describe("a comment that suppresses", () => {
  test.each([
    ["// qm-deploy-ignore a/b -- why", ["a/b"], "why"],
    ["//qm-deploy-ignore a/b -- why", ["a/b"], "why"],
    ["/// \tqm-deploy-ignore\ta/b\t--\twhy\t", ["a/b"], "why"],
    ["# qm-deploy-ignore a/b c/d -- why -- and what", ["a/b", "c/d"], "why -- and what"],
    ["// qm-deploy-ignore a/b, c/d,e/f -- why", ["a/b", "c/d", "e/f"], "why"],
    ["/* qm-deploy-ignore a/b -- why */", ["a/b"], "why"],
    ["/** qm-deploy-ignore a/b\n  * c/d -- why\r\n  * it is so\n */", ["a/b", "c/d"], "why it is so"],
    ["// qm-deploy-ignore: a/b: c/d -- why", ["a/b:", "c/d"], "why"],
    ["// qm-deploy-ignore:a/b -- why", ["a/b"], "why"],
    ["// qm-deploy-ignore -- why", [], "why"],
    ["// qm-deploy-ignore a/b", ["a/b"], null],
    ["// qm-deploy-ignore a/b --", ["a/b"], null],
    ["/* qm-deploy-ignore a/b -- */", ["a/b"], null],
    ["// qm-deploy-ignore a/b --why", ["a/b", "--why"], null],
    ["// qm-deploy-ignore a/b \u2014 why", ["a/b", "\u2014", "why"], null],
    ["// qm-deploy-ignore", [], null],
    ["/**\n * qm-deploy-ignore a/b -- why\n */", ["a/b"], "why"],
    ["/*\r\n  qm-deploy-ignore a/b -- why\r\n*/", ["a/b"], "why"],
    ["// qm-deploy-ignore a/b -- \u200b", ["a/b"], null],
    ["// qm-deploy-ignore a/b -- \u3164", ["a/b"], null],
    ["// qm-deploy-ignore a/b -- --", ["a/b"], null],
    ["// qm-deploy-ignore a/b -- .", ["a/b"], null],
    ["// qm-deploy-ignore a/b -- \u793e\u5185", ["a/b"], "\u793e\u5185"],
  ] as const)("%j", (comment, rules, reason) => expect(read(comment)).toEqual([rules, reason]));

  test.each([
    "// a note",
    "// see qm-deploy-ignore a/b -- why",
    "// qm-deploy ignores this",
    "/*\n * a note\n * about qm-deploy-ignore\n */",
    "//",
    "/**/",
  ])("%j is an ordinary one", (comment) => expect(read(comment)).toBeNull());

  test.each([
    ["// qm-deploy-ignore a/b -- why", true],
    ["// qm-deploy-ignored a/b -- why", false],
    ["// qm-deploy-ignore-all -- why", false],
    ["// qm-deploy-ignore-next-line a/b -- why", false],
    ["// QM-DEPLOY-IGNORE a/b -- why", false],
    ["# qm_deploy_ignore a/b -- why", false],
    ["/**\n * qm-deploy: ignore a/b -- why */", false],
  ])("%j begins with the right word: %s", (comment, isRight) =>
    expect(readDirective(comment, { start: 0, end: comment.length })?.isSpelledRight).toBe(isRight),
  );

  test.each([
    ["// qm-deploy-ignore a/b c/d -- why", "a/b", "// qm-deploy-ignore c/d -- why"],
    ["/* qm-deploy-ignore a/b, c/d, e/f -- why */", "c/d", "/* qm-deploy-ignore a/b e/f -- why */"],
    ["// qm-deploy-ignore a/b -- why", "a/b", ""],
  ])("%j without %s", (comment, id, rewritten) => {
    const span = { start: 2, end: comment.length + 2 };
    const text = `  ${comment}\n`;
    const directive = readDirective(text, span);
    if (directive === null) throw new Error("no directive");
    expect(rewrittenComment(text, span, directive, (rule) => (rule.id === id ? null : rule.id))).toBe(rewritten);
  });

  test("is read in linear time", () => {
    const rules = "a/b ".repeat(100_000);
    expect(read(`/* qm-deploy-ignore ${rules}-- ${"* ".repeat(100_000)}*/`)?.[0]).toHaveLength(100_000);
    expect(read(`// qm-deploy-ignore ${" ".repeat(500_000)}`)).toEqual([[], null]);
    expect(read(`/* qm-deploy-ignore a/b -- ${" ".repeat(500_000)}x*/`)).toEqual([["a/b"], "x"]);
    expect(read(`/* qm-deploy-ignore a/b -- ${"\n ".repeat(250_000)}*/`)).toEqual([["a/b"], null]);
  });
});

/** The lines that the comments of a text are about, in their order. */
function covered(text: string): readonly (number | null)[] {
  return coveredLines(text, scanTrivia(text).comments, new LineIndex(text));
}

describe("the line that a comment is about", () => {
  test.each([
    ['"a": 1 // x', [1]],
    ['// x\n"a": 1', [2]],
    ['// x\n// y\n/* z */\n"a": 1', [4, 4, 4]],
    ['/* x\n y */\n"a": 1', [3]],
    ['/* x\n y */ "a": 1', [2]],
    ['/* x */ "a": 1', [1]],
    ['/* x */ /* y */ "a": 1', [1, 1]],
    ['/* x */ // y\n"a": 1', [2, 2]],
    ['"a": 1 /* x */ // y', [1, 1]],
    ['"a": 1 /* x\n y */ "b": 2', [1]],
    ['"a": 1, // x\n// y\n"b": 2', [1, 3]],
    ['// x\n"a": 1 // y', [2, 2]],
    ['// x\n\n"a": 1', [null]],
    ['// x\n\n// y\n"a": 1', [null, 4]],
    ['// x\n \t\n"a": 1', [null]],
    ["// x\n}", [2]],
    ["// x", [null]],
    ["// x\n", [null]],
    ['// x\r\n// y\r\n"a": 1', [3, 3]],
    ['// x\r"a": 1', [2]],
    ['\ufeff// x\n"a": 1', [2]],
    ['"a": "// no" // x', [1]],
    ['// x\n/* y\n*/ "a": 1', [3, 3]],
    ['{ /* x */\n"a": 1', [1]],
  ])("%j", (text, lines) => expect(covered(text)).toEqual(lines));

  test("is found in linear time", () => {
    const stack = covered(`${"// x\n".repeat(100_000)}1`);
    expect(new Set(stack)).toEqual(new Set([100_001]));
    expect(covered(`${"/**/".repeat(100_000)}1`)).toHaveLength(100_000);
    expect(covered(`1${"/**/ ".repeat(100_000)}`).every((line) => line === 1)).toBe(true);
    expect(covered('"a": 1, // x\n'.repeat(50_000)).at(-1)).toBe(50_000);
    expect(covered(`//\n${"x ".repeat(250_000)}`)).toEqual([2]);
  });
});
