import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "./built.ts";
import { COUNT, fleet } from "./fleet.ts";

const HALF = COUNT / 2;

interface Report {
  readonly deployments: readonly { readonly config: string }[];
}

describe("a fleet, over which V8 is told to wait and much is remembered", () => {
  // Two smaller runs remember less, and one that goes backwards remembers other things: all say the same.
  test("each deployment gets what it gets among fewer, and among others", () => {
    const cwd = fleet();
    const { stdout, stderr } = runCli(["check", "--format", "json"], { cwd });
    const { deployments } = JSON.parse(stdout) as Report;
    expect(stderr, "nothing is said but the report").toBe("");
    expect(deployments).toHaveLength(COUNT);
    const paths = deployments.map(({ config }) => config);
    const among = (some: readonly string[]): readonly unknown[] =>
      (JSON.parse(runCli(["check", "--format", "json", ...some], { cwd }).stdout) as Report).deployments;
    expect([...among(paths.slice(0, HALF)), ...among(paths.slice(HALF))]).toEqual(deployments);
    for (const at of [0, 1, 2, 64, 129]) expect(among([paths[at] as string]), paths[at]).toEqual([deployments[at]]);
  });

  const spy = "const v8 = require('node:v8'); v8.setFlagsFromString = (flags) => process.stderr.write(flags + '\\n');";
  const isOld = process.versions.v8.startsWith("11.3.");
  test.each([
    [COUNT, isOld ? /^--interrupt-budget=\d+\n$/ : /^$/],
    [90, /^$/],
  ])("V8 is told to wait where that pays (%i deployments)", (count, told) => {
    const cwd = fleet();
    const preload = join(cwd, "spy.cjs");
    writeFileSync(preload, spy);
    const paths = Array.from({ length: count }, (_, at) => `d${String(at).padStart(3, "0")}`);
    expect(runCli(["check", "--format", "json", ...paths], { cwd, nodeArgs: ["--require", preload] }).stderr).toMatch(
      told,
    );
  });
});
