import { join, relative, resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { displayName, entryPath } from "../../src/workspace/paths.ts";
import { runs } from "../support/runs.ts";

const step = fc.constantFrom("a", "b.c", "..", ".", "...", "", "deep", ".env");
const steps = fc.array(step, { maxLength: 5 });

test("a path is shown relative to the working directory, however it is written", () => {
  fc.assert(
    fc.property(steps, steps, fc.boolean(), (there, here, isBelow) => {
      const cwd = resolve("/", ...here.filter((each) => each !== ""));
      const path = isBelow ? [cwd, ...there].join("/") : `/${there.join("/")}`;
      expect(displayName(path, cwd), JSON.stringify([path, cwd])).toBe(relative(cwd, resolve(cwd, path)) || ".");
    }),
    { numRuns: runs(100, 1_000) },
  );
});

test("an entry of a resolved directory is where `join` finds it", () => {
  fc.assert(
    fc.property(steps, fc.constantFrom("a", ".env", "qm.config.jsonc"), (there, name) => {
      const directory = resolve("/", ...there.filter((each) => each !== ""));
      expect(entryPath(directory, name)).toBe(join(directory, name));
    }),
  );
});
