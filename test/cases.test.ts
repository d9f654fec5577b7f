import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { textForQm, refusalOfQmAt } from "./support/qm-check.ts";
import {
  type CaseArgs,
  type CaseDiagnostic,
  describeDiagnostic,
  findCases,
  inCaseDirectory,
  judgeCase,
} from "./support/load-case.ts";

const ROOT = join(import.meta.dirname, "cases");

interface Expected {
  /** One sentence: what the case shows. */
  readonly about: string;
  /** The deployment directory, from the root of the repository; left out: `input/` beside this file. */
  readonly input?: string;
  readonly args: CaseArgs;
  /** Rows of docs/contract/qm-boot.md that the case shows. */
  readonly boot?: readonly number[];
  /** Globs such as `sandbox/*`: only such rules are compared. Left out: the list is complete. */
  readonly only?: readonly string[];
  readonly diagnostics: readonly CaseDiagnostic[];
}

function readExpected(file: string): Expected {
  const unwritten: Expected = { about: "", args: {}, diagnostics: [] };
  return existsSync(file)
    ? { ...unwritten, ...(JSON.parse(readFileSync(file, "utf8")) as Partial<Expected>) }
    : unwritten;
}

function matches(rule: string, only: readonly string[] | undefined): boolean {
  return (
    only === undefined ||
    only.some((glob) => (glob.endsWith("/*") ? rule.startsWith(glob.slice(0, -1)) : rule === glob))
  );
}

/** One diagnostic a line, so that a change of the list is easy to read. */
function print({ diagnostics, ...head }: Expected): string {
  const lines = diagnostics.map((diagnostic) => `    ${JSON.stringify(diagnostic)}`);
  const list = lines.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n  ]`;
  const fields = Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`);
  return `{\n${fields.join("\n")}\n  "diagnostics": ${list}\n}\n`;
}

const CASES = findCases(ROOT);

function inputOf(name: string, expected: Expected): string {
  return expected.input === undefined ? join(ROOT, name, "input") : join(ROOT, "../..", expected.input);
}

describe("cases", () => {
  test("there are some", () => expect(CASES.length).toBeGreaterThan(10));

  test.each(CASES)("%s", async (name) => {
    const file = join(ROOT, name, "expected.json");
    const expected = readExpected(file);
    const { diagnostics, sources } = await inCaseDirectory(inputOf(name, expected), expected.args, (directory) =>
      judgeCase(directory, expected.args),
    );
    const found = diagnostics
      .filter(({ rule }) => matches(rule, expected.only))
      .map((diagnostic) => describeDiagnostic(diagnostic, sources));
    if (process.env["UPDATE_CASES"] === "1") writeFileSync(file, print({ ...expected, diagnostics: found }));
    else expect(found).toEqual(expected.diagnostics);
    expect(expected.about, "a case says what it shows").not.toBe("");
  });
});

/** Where qm 0.1.12's own check says otherwise: the case, what qm does, and why we do not. */
const DIFFERENCES = JSON.parse(readFileSync(join(ROOT, "peer-differences.json"), "utf8")) as {
  readonly [name: string]: { readonly qm: "accepts" | "refuses"; readonly why: string };
};

describe("qm 0.1.12's own check", () => {
  test.each(CASES)("agrees on whether %s is valid, or the difference has a reason", async (name) => {
    const expected = readExpected(join(ROOT, name, "expected.json"));
    const args: CaseArgs = { ...expected.args, release: "0.1.12" };
    await inCaseDirectory(inputOf(name, expected), args, async (directory) => {
      const { diagnostics, deployment } = judgeCase(directory, args);
      // qm reads no `.env` there, and knows no suppressions.
      const isOurs = (rule: string): boolean => /^(?:env-file|suppression)\//.test(rule);
      const valid = !diagnostics.some(({ severity, rule }) => severity === "error" && !isOurs(rule));
      writeFileSync(join(directory, "qm.config.jsonc"), deployment === null ? "" : textForQm(deployment));
      const refusal = await refusalOfQmAt(directory);
      const difference = (refusal === null) === valid ? null : refusal === null ? "accepts" : "refuses";
      expect(difference, refusal ?? "").toBe(DIFFERENCES[name]?.qm ?? null);
    });
  });

  test("no difference is listed of a case that is gone", () => {
    expect(Object.keys(DIFFERENCES).filter((name) => !CASES.includes(name))).toEqual([]);
  });
});
