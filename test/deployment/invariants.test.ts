import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareText } from "../../src/base/text-order.ts";
import type { Deployment } from "../../src/deployment/deployment.ts";
import { provenancePaths } from "../../src/deployment/provenance.ts";
import { resolve } from "./resolving.ts";
import { PEER_CONFIGS } from "./peer/configs.ts";
import { runs } from "../support/runs.ts";

const CONFIGS = Object.values(PEER_CONFIGS);
const ODD_KEYS = ["__proto__", "constructor", "toString", "//", "core", "name", "env", "backend", ""];
const oddJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      1e308,
      "",
      " ",
      "boxd",
      "sprites",
      "core",
      "\ud800",
      "{",
      '{"a":1}',
      "x".repeat(500),
    ),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...ODD_KEYS), fc.string({ maxLength: 5 })), tie("value"), { maxKeys: 4 }),
  ),
})).value;

/** A sound config with one part of it replaced by something odd. */
const mutated = fc
  .tuple(fc.constantFrom(...CONFIGS), fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), oddJson)
  .map(([config, steps, odd]) => replace(JSON.parse(JSON.stringify(config)), steps, odd));

function replace(value: unknown, steps: readonly number[], odd: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined || typeof value !== "object" || value === null) return odd;
  const keys = Object.keys(value);
  const key = keys[step % Math.max(keys.length, 1)];
  if (key === undefined) return odd;
  (value as { [key: string]: unknown })[key] = replace((value as { [key: string]: unknown })[key], rest, odd);
  return value;
}

function expectSound(deployment: Deployment): void {
  const names = deployment.workloads.map((workload) => workload.name);
  expect(new Set(names).size).toBe(names.length);
  for (const workload of deployment.workloads) {
    const entries = workload.environment.map((entry) => entry.name);
    expect(entries).toEqual([...new Set(entries)].sort(compareText));
    for (const entry of workload.environment) {
      expect(typeof entry.value).toBe("string");
      // Every place that a provenance names can be shown.
      for (const path of provenancePaths(entry.provenance))
        expect(() => deployment.document.keyRange(path)).not.toThrow();
    }
  }
  const secrets = deployment.secrets.map((secret) => secret.name);
  expect(secrets).toEqual([...new Set(secrets)].sort(compareText));
  for (const secret of deployment.secrets) {
    expect(secret.destinations.length).toBeGreaterThan(0);
    expect(secret.reason).not.toBe("");
    for (const { workload } of secret.destinations) expect([...names, "pg"]).toContain(workload);
  }
  const core = deployment.workloads.find((workload) => workload.name === "core");
  const rendered = core?.environment.find((entry) => entry.name === "SANDBOX_BACKEND")?.value ?? null;
  if (core?.hosts.includes("core") === true) expect(rendered).toBe(deployment.sandbox.effective?.name ?? null);
}

const release = fc.constantFrom("0.1.6", "0.1.12", null, "^0.1", "nonsense");
const target = fc.constantFrom("docker", "fly", "aws", null, "other");

describe("resolveDeployment", () => {
  test("is sound for every document that is nearly right", () => {
    fc.assert(
      fc.property(mutated, release, target, (config, version, to) =>
        expectSound(resolve(config, { flags: { release: version, target: to } })),
      ),
      { numRuns: runs(50, 500) },
    );
  });

  test("is sound for any JSON, and for any text", () => {
    fc.assert(
      fc.property(oddJson, (config) => expectSound(resolve(JSON.stringify(config) ?? ""))),
      { numRuns: runs(30, 300) },
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => expectSound(resolve(text))),
      { numRuns: runs(30, 300) },
    );
  });

  test("is sound for texts that are cut off", () => {
    fc.assert(
      fc.property(fc.constantFrom(...CONFIGS), fc.double({ min: 0, max: 1, noNaN: true }), (config, part) => {
        const text = JSON.stringify(config, null, 2);
        expectSound(resolve(text.slice(0, Math.floor(text.length * part))));
      }),
      { numRuns: runs(20, 200) },
    );
  });

  test("does not depend on the order of keys", () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, reversed(inner)]),
      );
    };
    for (const config of CONFIGS) {
      const [a, b] = [resolve(config), resolve(reversed(config))];
      expect(b.workloads).toEqual(a.workloads);
      expect(b.secrets).toEqual(a.secrets);
    }
  });

  test("shows no value of the environment in reasons and notices", () => {
    const planted = "sk-ant-planted-canary";
    const text = JSON.stringify({
      contract: 1,
      orgId: "acme",
      target: "fly",
      services: ["core", "slack", "portal", "auth"],
      env: {
        core: {
          HARNESS: planted,
          MODEL_PROVIDER: planted,
          SANDBOX_BACKEND: planted,
          SANDBOX_SCOPE_BACKENDS: planted,
          DEPLOY_PROVIDER: planted,
        },
        auth: { AUTH_EMAIL_TRANSPORT: planted },
      },
    });
    const { secrets, release: choice, sandbox } = resolve(text, { flags: { release: planted, target: null } });
    const said = JSON.stringify([secrets, choice.notices, sandbox.scopesProblem]);
    expect(secrets.length).toBeGreaterThan(5);
    expect(said).not.toContain(planted);
  });
});
