import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** Files that compare with programs which npm does not install. */
const COUNTERPART = /\.counterpart\.test\.ts$/;

/** A file with tests that go on longer in the deep run, which they ask test/support/runs.ts about. */
const DEEP = /\/support\/(?:runs|byte-sizes)\.ts"/;

/** Folders and files of pure tests: those of one worker share what they import, as importing is most of their time. */
const PURE =
  /^test\/(?:(?:base|catalog|config|diagnostics|envfile|render|rules|scaffold|views)\/|(?:cases|regexes)\.test\.ts)/;
/** What the next file in the worker would feel. */
const CHANGES_PROCESS = /\bvi\.|process\.umask|process\.chdir|\/peer\//;

const tier = process.env["QM_DEPLOY_TESTS"] ?? "quick";

/** The test files of the tier, by path from the root; see scripts/test.mjs. */
const files = readdirSync(join(import.meta.dirname, "test"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `test/${name.replaceAll("\\", "/")}`)
  .map((path) => ({ path, text: readFileSync(join(import.meta.dirname, path), "utf8") }))
  .filter(
    ({ path, text }) => COUNTERPART.test(path) === (tier === "counterparts") && (tier !== "deep" || DEEP.test(text)),
  );

function project(name: string, isolate: boolean) {
  const include = files
    .filter(({ path, text }) => isolate !== (PURE.test(path) && !CHANGES_PROCESS.test(text)))
    .map(({ path }) => path);
  return { extends: true as const, test: { name, isolate, include } };
}

export default defineConfig({
  test: {
    projects: [project("pure", false), project("own process", true)],
    // Tests change cwd and umask, which worker threads cannot do.
    pool: "forks",
    // More than there are processors: many tests wait for programs and timers more than they work.
    maxWorkers: availableParallelism() * 2 + 1,
    // For what hangs; a busy machine is no failure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
