import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Deployment } from "../../src/deployment/deployment.ts";
import { RULES } from "../../src/rules/all.generated.ts";
import { runRules } from "../../src/rules/run-rules.ts";
import { deploymentFrom } from "../support/fragment.ts";
import { runs } from "../support/runs.ts";

/** Every fragment of a rule is a seed: together they name all that rules look at. */
const SEEDS = RULES.flatMap((rule) => [rule.bad, rule.good])
  .filter((text) => /^\s*\{/.test(text))
  .map((text) => JSON.parse(text) as Record<string, unknown>);
const ENV_SEEDS = RULES.flatMap((rule) => [rule.bad, rule.good]).filter(
  (text) => text !== "" && !/^\s*(?:\{|\/)/.test(text),
);

const BASE = {
  contract: 1,
  orgId: "acme",
  publicUrl: "https://qm.acme.dev",
  services: ["core", "slack", "web-ui", "admin", "portal", "auth"],
  secretEnv: { core: { ADMIN_GRANTS: "ADMIN_GRANTS" } },
};

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    "",
    " ",
    "boxd",
    "sprites",
    "local",
    "aws",
    "nothing",
    "http://localhost",
    "a".repeat(5000),
    "\u0000",
    "\ud800",
    1e308,
    -0,
  ),
);

/** A path into a value, chosen by numbers, and the value with something odd in its place. */
function replaceAt(value: unknown, choices: readonly number[], put: unknown): unknown {
  const [choice, ...rest] = choices;
  if (choice === undefined || typeof value !== "object" || value === null) return put;
  const keys = Object.keys(value);
  if (keys.length === 0) return put;
  const key = keys[choice % keys.length] as string;
  if (Array.isArray(value)) return value.map((item, at) => (String(at) === key ? replaceAt(item, rest, put) : item));
  return { ...value, [key]: replaceAt((value as Record<string, unknown>)[key], rest, put) };
}

const config = fc
  .record({
    seeds: fc.subarray(SEEDS, { maxLength: 4 }),
    target: fc.constantFrom("docker", "fly", "aws"),
    path: fc.array(fc.nat(20), { maxLength: 5 }),
    put: odd,
  })
  .map(({ seeds, target, path, put }) =>
    JSON.stringify(replaceAt(Object.assign({ ...BASE, target }, ...seeds, { target }), path, put)),
  );

function expectSound(deployment: Deployment): void {
  const found = runRules(deployment);
  expect(found.filter((each) => each.rule === "internal/broken-rule")).toEqual([]);
  for (const { file, range, message } of found) {
    if (range === null) continue;
    const length =
      file === deployment.document.file
        ? deployment.document.text.length
        : (deployment.inputs.envFile?.text.length ?? 0);
    expect(range.start.offset, message).toBeLessThanOrEqual(range.end.offset);
    expect(range.end.offset, message).toBeLessThanOrEqual(length);
  }
}

describe("rules never throw, and point inside their files", () => {
  test.each(["0.1.6", "0.1.12"])("under %s, whatever stands in the config and the .env", (release) => {
    const env = fc.oneof(
      fc.string({ maxLength: 80 }),
      fc.subarray(ENV_SEEDS, { maxLength: 5 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(config, env, (text, envText) => expectSound(deploymentFrom(text, { release, env: envText }))),
      { numRuns: runs(25, 250) },
    );
  });

  test("wherever the document is cut off", () => {
    fc.assert(
      fc.property(config, fc.nat(400), (text, at) => expectSound(deploymentFrom(text.slice(0, at)))),
      { numRuns: runs(15, 150) },
    );
  });
});
