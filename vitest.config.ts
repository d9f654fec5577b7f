import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** Files that compare with programs which npm does not install. */
const COUNTERPART = /\.counterpart\.test\.ts$/;

/** A file with tests that go on longer in the deep run, which they ask test/support/runs.ts about. */
const DEEP = /\/support\/(?:runs|byte-sizes)\.ts"/;

/** Folders whose tests start machines, builds or servers: each of their files, as each counterpart, has a process of its own, which ends with whatever it left. */
const OWN_PROCESS = /^test\/(?:boxd|bundle|extension|lsp|pictures|playground|release-tree)\//;
/** What the next file in the worker would feel: changes of the process, and modules that take away at a file's end what they made when they were loaded. */
const CHANGES_PROCESS = /\bvi\.|process\.umask|process\.chdir|process\.env\S* = |\/(?:peer|stand-ins)\//;

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
    .filter(
      ({ path, text }) => isolate === (OWN_PROCESS.test(path) || COUNTERPART.test(path) || CHANGES_PROCESS.test(text)),
    )
    .map(({ path }) => path);
  return { extends: true as const, test: { name, isolate, include } };
}

export default defineConfig({
  test: {
    // The files of one worker share what they import, as importing is most of the time of the many small ones.
    projects: [project("own process", true), project("shared process", false)],
    // Tests change cwd and umask, which worker threads cannot do.
    pool: "forks",
    // More than there are processors: many tests wait for programs and timers more than they work.
    maxWorkers: availableParallelism() * 2 + 1,
    // For what hangs; a busy machine is no failure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
