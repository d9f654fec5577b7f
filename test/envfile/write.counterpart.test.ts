import fc from "fast-check";
import { expect, test } from "vitest";
import { HAS_COMPOSE, readCompose } from "../render/compose-reader.ts";
import { envValues } from "./arbitrary-texts.ts";
import { carried } from "./carried.ts";

test.skipIf(!HAS_COMPOSE)(
  "docker-compose 1.29.2 reads what is written for compose (skipped where it is absent)",
  () => {
    const all = fc.sample(envValues, { numRuns: 600, seed: 4 }).map((value, index) => ({ name: `N${index}`, value }));
    // Its python reader knows escapes in single quotes and no `$` in them, which compose v2 does not share.
    const { text, values } = carried(
      "compose",
      all.filter(({ value }) => !/[\\$\x80-\u{10ffff}\x00-\x09\x0b-\x1f\x7f]/u.test(value)),
    );
    const compose = 'version: "3"\nservices: { a: { image: b, env_file: n.env } }\n';
    const reading = readCompose({ "compose.yaml": compose, "n.env": text });
    if (!reading.ok) throw new Error(reading.stderr);
    expect(values.size).toBeGreaterThan(100);
    expect(reading.services["a"]?.environment).toEqual(Object.fromEntries(values));
  },
);
