/**
 * Runs tests, and prints one closing line that counts what passed, failed and was skipped:
 *
 *     node scripts/test.mjs [tier…] [-- words for vitest]
 *
 * - `quick` (`npm test`, and where no tier is named): types, lint, format, and a run of everything, small where it is random.
 * - `deep` (`npm run test:deep`): the files with random runs again, with many more of them.
 * - `counterparts` (`npm run test:counterparts`): what compares with programs that npm does not install.
 *
 * Types, lint and format count as one each. Dependencies and dist/ are brought up to date first.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./sources.mjs";
import { ensureInstalled } from "./setup.mjs";
import { countsOf, failuresOf, slowestOf } from "./test-summary.mjs";

const TIERS = ["quick", "deep", "counterparts"];

const counts = { passed: 0, failed: 0, skipped: 0 };
/** What failed in any tier, and the slowest files of each: printed last, where whoever reads the end of a log finds them. */
const failures = [];
const slowest = [];

function fail(what) {
  counts.failed++;
  failures.push(what);
}

/** Runs a program of node_modules/.bin with this terminal; its exit status. */
function tool(name, args, env = {}) {
  const bin = join(ROOT, "node_modules", ".bin", name);
  const options = { cwd: ROOT, stdio: "inherit", shell: process.platform === "win32", env: { ...process.env, ...env } };
  return spawnSync(bin, args, options).status ?? 1;
}

/** The same beside others: resolves to its exit status and what it printed. */
function quietTool([name, ...args]) {
  const options = { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"], shell: process.platform === "win32" };
  const child = spawn(join(ROOT, "node_modules", ".bin", name), args, options);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (more) => (text += more));
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ status: 1, text: `${error.message}\n` }));
    child.on("close", (status) => resolve({ status, text }));
  });
}

/** A step that passes or fails as a whole: every one of its programs is to end with 0. */
async function step(title, commands) {
  const ran = await Promise.all(commands.map(quietTool));
  console.log(`\n== ${title}`);
  for (const { text } of ran) process.stdout.write(text);
  if (ran.every(({ status }) => status === 0)) counts.passed++;
  else fail(title);
}

function addTests(tier, report) {
  for (const [kind, count] of Object.entries(countsOf(report))) counts[kind] += count;
  failures.push(...failuresOf(report).map((name) => `${tier}: ${name}`));
  slowest.push(`\n== slowest files: ${tier}`, ...slowestOf(report));
}

function runTests(tier, words) {
  console.log(`\n== tests: ${tier}`);
  const directory = mkdtempSync(join(tmpdir(), "qm-deploy-test-"));
  const output = join(directory, "report.json");
  try {
    const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${output}`, ...words];
    const status = tool("vitest", args, { QM_DEPLOY_TESTS: tier });
    const before = counts.failed;
    addTests(tier, JSON.parse(readFileSync(output, "utf8")));
    // An unhandled error outside any test fails the run and is in no count.
    if (status !== 0 && counts.failed === before) fail(`${tier}: an error outside any test`);
  } catch (error) {
    console.error(`vitest left no report: ${error.message}`);
    fail(`${tier}: no report`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The tiers that are named, and the words after them, which are vitest's. */
function readArguments(argv) {
  const others = argv.findIndex((word) => !TIERS.includes(word));
  const named = others === -1 ? argv : argv.slice(0, others);
  const words = others === -1 ? [] : argv.slice(others).filter((word, at) => at > 0 || word !== "--");
  return { tiers: named.length === 0 ? ["quick"] : named, words };
}

async function build() {
  try {
    const { ensureBuilt } = await import("./build.mjs");
    await ensureBuilt({ types: true });
    return 0;
  } catch (error) {
    console.error(error.message);
    return 1;
  }
}

const { tiers, words } = readArguments(process.argv.slice(2));
ensureInstalled();
console.log("== build");
if ((await build()) === 0) counts.passed++;
else fail("build");
if (tiers.includes("quick") && words.length === 0) {
  // Beside one another: the format alone takes as long as all else, on one processor.
  await Promise.all([
    step("types", [
      ["tsc", "--noEmit", "-p", "."],
      ["tsc", "--noEmit", "-p", "playground"],
    ]),
    step("lint", [["oxlint", "--deny-warnings"]]),
    step("format", [["prettier", "--check", "--log-level", "warn", "."]]),
  ]);
}
for (const tier of tiers) runTests(tier, words);
for (const line of slowest) console.log(line);
if (failures.length > 0) console.log(`\n== failed\n${failures.join("\n")}`);
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed === 0 ? 0 : 1;
