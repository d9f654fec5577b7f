/**
 * `npm test`: sets up, then runs everything: types, lint, tests (also of the built bundle). Words after `--` go to
 * vitest. The last line counts what passed, failed and was skipped; types and lint count as one each.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./sources.mjs";
import { ensureInstalled } from "./setup.mjs";

const counts = { passed: 0, failed: 0, skipped: 0 };

function tool(name, args) {
  const bin = join(ROOT, "node_modules", ".bin", name);
  return spawnSync(bin, args, { cwd: ROOT, stdio: "inherit", shell: process.platform === "win32" }).status ?? 1;
}

/** A step that passes or fails as a whole. */
function step(title, run) {
  console.log(`\n== ${title}`);
  const isFine = run() === 0;
  counts[isFine ? "passed" : "failed"]++;
  return isFine;
}

/** Files that failed to load have no tests to count; each counts as one. */
function addTests(report) {
  counts.passed += report.numPassedTests;
  counts.failed +=
    report.numFailedTests +
    report.testResults.filter(
      ({ status, assertionResults }) =>
        status === "failed" && assertionResults.every((test) => test.status !== "failed"),
    ).length;
  counts.skipped += report.numPendingTests + (report.numTodoTests ?? 0);
}

function runTests(more) {
  console.log("\n== tests");
  const directory = mkdtempSync(join(tmpdir(), "qm-deploy-test-"));
  const output = join(directory, "report.json");
  try {
    const status = tool("vitest", [
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${output}`,
      ...more,
    ]);
    const before = counts.failed;
    addTests(JSON.parse(readFileSync(output, "utf8")));
    // An unhandled error outside any test fails the run and is in no count.
    if (status !== 0 && counts.failed === before) counts.failed++;
  } catch (error) {
    console.error(`vitest left no report: ${error.message}`);
    counts.failed++;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

ensureInstalled();
const more = process.argv.slice(2);
let isBuilt = true;
console.log("== build");
try {
  const { ensureBuilt } = await import("./build.mjs");
  await ensureBuilt({ types: true });
} catch (error) {
  console.error(error.message);
  isBuilt = false;
}
counts[isBuilt ? "passed" : "failed"]++;
if (more.length === 0) {
  step("types", () => tool("tsc", ["--noEmit", "-p", "."]));
  step("lint", () => tool("oxlint", ["--deny-warnings"]));
  step("format", () => tool("prettier", ["--check", "--log-level", "warn", "."]));
}
runTests(more);
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed === 0 ? 0 : 1;
