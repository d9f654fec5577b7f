import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CaseArgs, type CaseDiagnostic, describeDiagnostic, findCases, loadCase } from "./support/load-case.ts";

const ROOT = join(import.meta.dirname, "cases");

interface Expected {
  /** One sentence: what the case shows. */
  readonly about: string;
  /** The deployment directory, from the root of the repository; left out: `input/` beside this file. */
  readonly input?: string;
  readonly args: CaseArgs;
  /** Globs such as `sandbox/*`: only such rules are compared. Left out: the list is complete. */
  readonly only?: readonly string[];
  readonly diagnostics: readonly CaseDiagnostic[];
}

function readExpected(file: string): Expected {
  const unwritten: Expected = { about: "", args: {}, diagnostics: [] };
  return existsSync(file) ? { ...unwritten, ...(JSON.parse(readFileSync(file, "utf8")) as Partial<Expected>) } : unwritten;
}

function matches(rule: string, only: readonly string[] | undefined): boolean {
  return only === undefined || only.some((glob) => (glob.endsWith("/*") ? rule.startsWith(glob.slice(0, -1)) : rule === glob));
}

/** One diagnostic a line, so that a change of the list is easy to read. */
function print({ diagnostics, ...head }: Expected): string {
  const lines = diagnostics.map((diagnostic) => `    ${JSON.stringify(diagnostic)}`);
  const list = lines.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n  ]`;
  const fields = Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`);
  return `{\n${fields.join("\n")}\n  "diagnostics": ${list}\n}\n`;
}

const CASES = findCases(ROOT);

describe("cases", () => {
  test("there are some", () => expect(CASES.length).toBeGreaterThan(10));

  test.each(CASES)("%s", (name) => {
    const file = join(ROOT, name, "expected.json");
    const expected = readExpected(file);
    const input = expected.input === undefined ? join(ROOT, name, "input") : join(ROOT, "../..", expected.input);
    const { diagnostics, sources } = loadCase(input, expected.args);
    const found = diagnostics.filter(({ rule }) => matches(rule, expected.only)).map((diagnostic) => describeDiagnostic(diagnostic, sources));
    if (process.env["UPDATE_CASES"] === "1") writeFileSync(file, print({ ...expected, diagnostics: found }));
    else expect(found).toEqual(expected.diagnostics);
    expect(expected.about, "a case says what it shows").not.toBe("");
  });
});
