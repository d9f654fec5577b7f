import fc from "fast-check";
import { expect, test } from "vitest";
import { configSchema, schemaIssues } from "../../src/config/schema/config.ts";
import { parseDocument } from "../../src/config/parse.ts";
import { mutate, mutations, soundConfigs, type Plain } from "./arbitrary-config.ts";

test("leaving out the fields that are not there changes nothing of what zod says", () => {
  let bad = 0;
  fc.assert(
    fc.property(
      fc.oneof(soundConfigs, fc.jsonValue() as fc.Arbitrary<Plain>),
      fc.array(mutations, { maxLength: 3 }),
      (config, changes) => {
        const copy = JSON.parse(JSON.stringify(config)) as Plain;
        if (typeof copy === "object" && copy !== null) for (const change of changes) mutate(copy, change);
        const value = parseDocument({ file: "f", text: JSON.stringify(copy) }).value([]);
        const whole = configSchema().safeParse(value).error?.issues ?? [];
        bad += whole.length === 0 ? 0 : 1;
        expect(schemaIssues(value)).toEqual(whole);
      },
    ),
    { numRuns: 1000 },
  );
  expect(bad).toBeGreaterThan(100);
});
