import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** Files that compare with programs which npm does not install. */
const COUNTERPARTS = "test/**/*.counterpart.test.ts";

/** Files with tests that go on longer in the deep run, which they ask test/support/runs.ts about. */
function deepTests(): string[] {
  return readdirSync(join(import.meta.dirname, "test"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `test/${name.replaceAll("\\", "/")}`)
    .filter((path) =>
      readFileSync(join(import.meta.dirname, path), "utf8").match(/\/support\/(?:runs|byte-sizes)\.ts"/),
    );
}

/** What each tier runs; see scripts/test.mjs. */
const FILES = {
  quick: { include: ["test/**/*.test.ts"], exclude: [COUNTERPARTS] },
  deep: { include: deepTests(), exclude: [COUNTERPARTS] },
  counterparts: { include: [COUNTERPARTS], exclude: [] },
};

const tier = (process.env["QM_DEPLOY_TESTS"] ?? "quick") as keyof typeof FILES;

export default defineConfig({
  test: {
    ...FILES[tier],
    // Tests change cwd and umask, which worker threads cannot do.
    pool: "forks",
    // One more than there are processors: some tests wait for programs and timers more than they work.
    maxWorkers: availableParallelism() + 1,
    // For what hangs; a busy machine is no failure.
    testTimeout: 300_000,
  },
});
