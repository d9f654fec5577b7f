import { relative } from "node:path";
import { ROOT } from "./sources.mjs";

/** How many files a list of the slowest names. */
const SLOWEST = 10;

const shown = (path) => relative(ROOT, path).replaceAll("\\", "/");

/** Files that failed to load, or in a hook, have no failed test to count; each counts as one. */
function unloaded({ testResults }) {
  return testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.every((test) => test.status !== "failed"),
  );
}

/** How many tests of a report of vitest's (its `json` reporter) passed, failed and were skipped. */
export function countsOf(report) {
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded(report).length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
}

/** The first line of a failure's message, cut where it gets long: the whole of it stands where the test ran. */
const firstLine = (text = "") => text.split("\n", 1)[0].slice(0, 300);

/** What failed in a report: `<file> > <test>`, or the file alone where no test of it failed, each with what it said. */
export function failuresOf(report) {
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ ancestorTitles, title, failureMessages }) => {
        const path = [shown(name), ...ancestorTitles, title].join(" > ");
        return `${path}\n    ${firstLine(failureMessages[0])}`;
      }),
  );
  return [...unloaded(report).map(({ name, message }) => `${shown(name)}\n    ${firstLine(message)}`), ...tests];
}

/** The slowest files of a report, a line each, with the seconds from their first test's start to their last one's end. */
export function slowestOf(report) {
  return report.testResults
    .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${shown(name)}`);
}
