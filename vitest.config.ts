import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Tests change cwd and umask, which worker threads cannot do.
    pool: "forks",
    testTimeout: 30_000,
  },
});
