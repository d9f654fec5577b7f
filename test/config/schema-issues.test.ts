import fc from "fast-check";
import { expect, test } from "vitest";
import { configSchema, schemaIssues } from "../../src/config/schema/config.ts";
import { parseDocument } from "../../src/config/parse.ts";
import { mutate, mutations, soundConfigs, type Plain } from "./arbitrary-config.ts";
import { runs } from "../support/runs.ts";

test("field by field the same is found as by the schema of the whole", () => {
  let bad = 0;
  fc.assert(
    fc.property(
      fc.oneof(soundConfigs, fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<Plain>),
      fc.array(mutations, { maxLength: 3 }),
      (config, changes) => {
        const copy = JSON.parse(JSON.stringify(config)) as Plain;
        for (const change of changes) mutate(copy, change);
        const value = parseDocument({ file: "f", text: JSON.stringify(copy) }).value([]);
        const whole = configSchema().safeParse(value).error?.issues ?? [];
        bad += whole.length === 0 ? 0 : 1;
        const found = schemaIssues(value);
        expect(found).toHaveLength(whole.length);
        for (const { message: _, ...issue } of whole) expect(found).toContainEqual(expect.objectContaining(issue));
      },
    ),
    { numRuns: runs(100, 1_000) },
  );
  expect(bad).toBeGreaterThan(runs(10, 100));
});
