import { join, relative, resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { displayName, entryPath, withShortPaths } from "../../src/workspace/paths.ts";
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

test.each([
  ["of `/tmp/x9Qz2/out/a` EACCES", "of `out/a` EACCES"],
  ["in repository at '/tmp/x9Qz2'", "in repository at '.'"],
  ["`/tmp/x9Qz2/a` is outside `/tmp/x9Qz2b`", "`a` is outside `/tmp/x9Qz2b`"],
  ["`/tmp` is /tmp/x9Qz2/a", "`/tmp` is /tmp/x9Qz2/a"],
  ["nothing", "nothing"],
])("paths of a message are shortened where they are below: %s", (message, short) =>
  expect(withShortPaths(message, "/tmp/x9Qz2")).toBe(short),
);
