import { describe, expect, test } from "vitest";
import { runCli } from "./built.ts";
import { COUNT, fleet } from "./fleet.ts";

const HALF = COUNT / 2;

interface Report {
  readonly deployments: readonly { readonly config: string }[];
}

describe("a fleet, over which answers are remembered", () => {
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
});
