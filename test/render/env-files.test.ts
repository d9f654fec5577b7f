import { parseEnv } from "node:util";
import { parse as parseDotenv } from "dotenv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { example } from "./support.ts";
import { envFile, environments, withEnvironment } from "./workload-env.ts";
import { runs } from "../support/runs.ts";

describe.each(["fly-boxd", "aws-boxd"])("<workload>.env of %s, in the dotenv dialect", (name) => {
  const deployment = example(name);

  test.each(deployment.workloads.map((workload) => workload.name))(
    "%s: node and dotenv read the environment of the workload, and nothing else",
    (workload) => {
      const { text } = envFile(deployment, workload);
      const expected = Object.fromEntries(
        deployment.workloads
          .find((one) => one.name === workload)
          ?.environment.map((entry) => [entry.name, entry.value]) ?? [],
      );
      expect([parseEnv(text ?? ""), parseDotenv(text ?? "")]).toEqual([expected, expected]);
    },
  );

  test("any names and values come back the same, or are refused by name and never by value", () => {
    fc.assert(
      fc.property(environments, (env) => {
        const { text, refusals } = envFile(withEnvironment(deployment, env), "core");
        if (text !== null) expect([{ ...parseEnv(text) }, { ...parseDotenv(text) }]).toEqual([env, env]);
        else
          expect(
            refusals.every((refusal) => Object.keys(env).some((key) => refusal.message.includes(key) || key === "")),
          ).toBe(true);
        expect(text === null).toBe(refusals.length > 0);
      }),
      { numRuns: runs(15, 600) },
    );
  });
});

test("in <workload>.env on docker a value with a line break is refused at the place where it is written", () => {
  const deployment = example("docker-boxd", {
    config: (text) => text.replace('"HARNESS": "pi"', '"HARNESS": "pi", "LINES": "a\\nb"'),
  });
  const [refusal] = envFile(deployment, "core").refusals;
  expect(refusal).toMatchObject({ rule: "render/value-not-carried", message: expect.stringContaining("`LINES`") });
  const { text } = deployment.document;
  expect(text.slice(refusal?.range?.start.offset, refusal?.range?.end.offset)).toBe('"LINES"');
});
