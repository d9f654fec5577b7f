import { parseEnv } from "node:util";
import { parse as parseDotenv } from "dotenv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { renderDeployment } from "../../src/render/render.ts";
import { example, PLAIN } from "./support.ts";
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

  test("any names and values come back the same, or are left out or refused by name and never by value", () => {
    fc.assert(
      fc.property(environments, (env) => {
        const { text, refusals, notes } = envFile(withEnvironment(deployment, env), "core");
        expect(text === null).toBe(refusals.length > 0);
        const said = [...refusals, ...notes].map(({ message }) => message);
        expect(said.every((message) => Object.keys(env).some((key) => message.includes(key)))).toBe(true);
        if (text === null) return;
        const read = { ...parseEnv(text) };
        expect({ ...parseDotenv(text) }).toEqual(read);
        expect(Object.keys(env).length - Object.keys(read).length).toBe(notes.length);
        expect(env).toMatchObject(read);
      }),
      { numRuns: runs(15, 150) },
    );
  });
});

test("in <workload>.env on docker, which carries neither line breaks nor quotes around a value, such a value is left out with a word", () => {
  const deployment = example("docker-boxd", {
    config: (text) => text.replace('"HARNESS": "pi"', '"HARNESS": "pi", "LINES": "a\\nb", "QUOTED": "\\"q\\""'),
  });
  const { text, refusals, notes } = envFile(deployment, "core");
  expect(refusals).toEqual([]);
  expect(notes.map(({ message }) => message)).toEqual([
    "left out: docker cannot carry the value of `LINES`: line break is in the way",
    'left out: docker cannot carry the value of `QUOTED`: `"` is in the way',
  ]);
  expect(text).toContain("# Left out: docker cannot carry the value of `LINES`");
  expect(text).not.toMatch(/^(?:LINES|QUOTED)=/m);
  expect(text).toContain("\nHARNESS=pi\n");
  const compose = renderDeployment(deployment, PLAIN).artifacts.find(({ name }) => name === "compose.yaml")?.text;
  expect(parse(compose ?? "").services.core.environment).toMatchObject({ LINES: "a\nb", QUOTED: '"q"' });
});

test("what no environment carries is refused at the place where it is written", () => {
  const deployment = example("docker-boxd", {
    config: (text) => text.replace('"HARNESS": "pi"', '"HARNESS": "pi", "CUT": "a\\u0000"'),
  });
  const [refusal] = envFile(deployment, "core").refusals;
  expect(refusal).toMatchObject({ rule: "render/value-not-carried", message: expect.stringContaining("`CUT`") });
  const { text } = deployment.document;
  expect(text.slice(refusal?.range?.start.offset, refusal?.range?.end.offset)).toBe('"CUT"');
});
