import { join } from "node:path";
import { expect, test } from "vitest";
import { countsOf, failuresOf, slowestOf } from "../../scripts/test-summary.mjs";

const file = (name: string, seconds: number, ...statuses: string[]) => ({
  name: join(import.meta.dirname, name),
  status: statuses.includes("failed") || statuses.length === 0 ? "failed" : "passed",
  startTime: 1000,
  endTime: 1000 + seconds * 1000,
  message: statuses.length === 0 ? "SyntaxError: Unexpected token\n    at import" : "",
  assertionResults: statuses.map((status, at) => ({
    ancestorTitles: ["group"],
    title: `test ${at}`,
    status,
    failureMessages: status === "failed" ? ["AssertionError: expected 1 to be 2\n    at a line"] : [],
  })),
});
const REPORT = {
  numPassedTests: 12,
  numFailedTests: 1,
  numPendingTests: 2,
  testResults: [
    file("mixed.test.ts", 2.5, "passed", "failed"),
    file("unloaded.test.ts", 0),
    file("slow.test.ts", 120.25, "passed", "skipped"),
    ...Array.from({ length: 9 }, (_, at) => file(`quick-${at}.test.ts`, 0.5, "passed")),
  ],
};

test("a file that failed without a failed test counts as one failure", () => {
  expect(countsOf(REPORT)).toEqual({ passed: 12, failed: 2, skipped: 2 });
});

test("what failed is named by file, group and title, with the first line of what it said", () => {
  expect(failuresOf(REPORT)).toEqual([
    "test/scripts/unloaded.test.ts\n    SyntaxError: Unexpected token",
    "test/scripts/mixed.test.ts > group > test 1\n    AssertionError: expected 1 to be 2",
  ]);
});

test("the ten slowest files come with their seconds, slowest first", () => {
  const lines = slowestOf(REPORT);
  expect(lines).toHaveLength(10);
  expect(lines.slice(0, 3)).toEqual([
    " 120.3 s  test/scripts/slow.test.ts",
    "   2.5 s  test/scripts/mixed.test.ts",
    "   0.5 s  test/scripts/quick-0.test.ts",
  ]);
});
