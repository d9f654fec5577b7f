import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { composeText, type Environment, environments, isRefused } from "./random-environments.ts";
import { runs } from "../../support/runs.ts";

describe("any names and values in compose.yaml", () => {
  test("come back the same from a YAML 1.2 reader, or are refused", () => {
    fc.assert(
      fc.property(environments, (env) => {
        const text = composeText([env]);
        expect(text === null).toBe(isRefused(env));
        if (text === null) return;
        const read = parse(text, { logLevel: "error" }).services.w0.environment as Environment;
        expect(new Map(Object.entries(read).map(([name, value]) => [name, value.replaceAll("$$", () => "$")]))).toEqual(
          new Map(Object.entries(env)),
        );
      }),
      { numRuns: runs(30, 300) },
    );
  });
});
