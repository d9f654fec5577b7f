import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Deployment } from "../../src/deployment/deployment.ts";
import { withEnvFile } from "../../src/deployment/resolve.ts";
import type { RuleId } from "../../src/diagnostics/rule-ids.generated.ts";
import { renderDeployment } from "../../src/render/render.ts";
import { secretsWithValue } from "../../src/render/secrets.ts";
import { blockingDiagnostics } from "../../src/rules/blocking.ts";
import { runRules } from "../../src/rules/run-rules.ts";
import { checkSecretValues } from "../../src/views/check.ts";
import { SOUND_CONFIGS } from "../rules/sound.ts";
import { deploymentFrom, deploymentOf, treeOf } from "../support/fragment.ts";
import { pathsOf, replacedAt } from "../support/mutate.ts";
import { runs } from "../support/runs.ts";
import { PLAIN } from "./support.ts";

type Plain = { [key: string]: unknown };

/** Warnings that announce a refusal of render: an image that is not there yet stops an artifact, and no check. */
const ANNOUNCES: { readonly [refusal: string]: readonly RuleId[] } = {
  "render/image-missing": ["config/image-missing", "sandbox/core-image", "sandbox/image-not-published"],
  "render/image-not-pinned": ["config/unpinned-image"],
  "render/deployment-identity": ["aws/background-work"],
};

/** A plugin that is built from its directory. */
const SOURCE = treeOf(new Map([["plugins/acme-bot/Dockerfile", "FROM scratch\n"]]), "plugins");

const SHA = "sha256:" + "15".repeat(32);
const IMAGES = Object.fromEntries(
  ["core", "web-ui", "portal", "auth", "admin"].map((name) => [name, `ghcr.io/acme/${name}@${SHA}`]),
);

/** Sound deployments of each target: the smallest under both releases, and one with nearly every field. */
const SEEDS = Object.entries(SOUND_CONFIGS).flatMap(([target, full]) =>
  [
    { release: "0.1.6", fields: {} },
    { release: "0.1.12", fields: {} },
    { release: "0.1.12", fields: full },
  ].map(({ release, fields }) => {
    const { text } = deploymentOf(JSON.stringify({ target, ...fields }), { release }).document;
    return { release, config: { ...(JSON.parse(text) as Plain), imageOverrides: IMAGES } as Plain };
  }),
);

const PARTS: { readonly [field: string]: readonly unknown[] } = {
  sandbox: [
    { backend: "sprites", app: "acme-sandboxes" },
    { backend: "sprites", app: "acme-sandboxes", image: `registry.fly.io/acme@${SHA}` },
    { app: "acme-sandboxes" },
    { backend: "local" },
    { backend: "aws" },
    { backend: "agent37" },
    {},
  ],
  services: [["core"], ["core", "web-ui", "slack"], ["core", "web-ui", "portal", "auth", "admin"], ["web-ui"], []],
  imageOverrides: [{}, { core: `ghcr.io/acme/core@${SHA}` }, { ...IMAGES, "web-ui": "ghcr.io/acme/web-ui:latest" }],
  plugins: [[{ name: "acme-bot" }], [{ name: "acme-bot", image: "ghcr.io/acme/bot:1" }], []],
  secretEnv: [{ core: { DATABASE_URL: "MY_DB" } }, { core: { ACME: "ACME" }, "web-ui": { ACME: "ACME" } }],
};

const part = fc
  .constantFrom(...Object.keys(PARTS))
  .chain((field) => fc.constantFrom(...(PARTS[field] ?? [])).map((value) => ({ field, value })));

const odd = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      undefined,
      "",
      " ",
      "acme",
      "a\nb",
      '"q"',
      "'q'",
      "a\0",
      "\ud800",
      "x".repeat(70_000),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      null,
      0,
      16384,
      true,
      [],
      {},
      ["acme"],
      "https://acme.dev",
      "replace-me",
      "acme\u00a0",
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 6 }) },
);

const entries = fc.dictionary(
  fc.constantFrom("ACME_MODE", "LOG", "A-B", "1A", "", "CAPABILITY_SECRET", "DATABASE_URL", "NODE_ENV"),
  odd.filter((value) => typeof value === "string"),
  { maxKeys: 2, noNullPrototype: true },
);

const deployments = fc
  .record({
    seed: fc.constantFrom(...SEEDS),
    parts: fc.array(part, { maxLength: 1 }),
    changes: fc.array(fc.record({ at: fc.nat(), put: odd }), { maxLength: 1 }),
    pluginsTree: fc.constantFrom([], SOURCE),
    service: fc.constantFrom("core", "web-ui", "portal"),
    entries,
  })
  .map(({ seed, parts, changes, service, entries: added, pluginsTree }) => {
    let config: unknown = seed.config;
    for (const { field, value } of parts) config = { ...(config as Plain), [field]: value };
    for (const { at, put } of changes) {
      const paths = [...pathsOf(config)];
      config = replacedAt(config, paths[at % paths.length] ?? ["orgId"], put);
    }
    const { env } = config as { env?: { [service: string]: Plain } };
    if (typeof env === "object" && env !== null && !Array.isArray(env) && Object.keys(added).length > 0)
      config = { ...(config as Plain), env: { ...env, [service]: { ...env[service], ...added } } };
    return { text: JSON.stringify(config), context: { release: seed.release, pluginsTree } };
  });

/** What is a value of any other secret: long, and unlike those of the others. */
const VALUES: { readonly [name: string]: string } = {
  PUBLIC_API_URL: "https://qm.acme.dev",
  DATABASE_URL: "postgres://u:p@db.acme.dev/qm",
  DATABASE_POOL_URL: "postgres://u:p@db.acme.dev/qm",
  AUTH_EMAIL_FROM: "qm@acme.dev",
  AUTH_SIGNING_JWK: "",
  AUTH_ALLOWED_EMAILS: "ops@acme.dev",
};

function refusalsOf(deployment: Deployment, secrets: boolean) {
  const withValue = new Set(secretsWithValue(deployment));
  return renderDeployment(deployment, { ...PLAIN, secrets, secretsWithValue: withValue }).refusals;
}

describe("check and render", () => {
  test("agree on what can be rendered: what is refused was found or announced, and what was announced is refused", () => {
    fc.assert(
      fc.property(deployments, ({ text, context }) => {
        const deployment = deploymentFrom(text, context);
        const found = runRules(deployment);
        if (blockingDiagnostics("render", found, deployment).length > 0) return;
        const rules = new Set<string>(found.map(({ rule }) => rule));
        const refusals = refusalsOf(deployment, false);
        const surprises = refusals.filter(({ rule }) => !(ANNOUNCES[rule] ?? []).some((each) => rules.has(each)));
        expect(surprises.map(({ artifact, rule, message }) => `${artifact}: ${rule}: ${message}`)).toEqual([]);
        const refused = new Set<string>(refusals.map(({ rule }) => rule));
        for (const rule of ["config/image-missing", "sandbox/image-not-published"])
          if (rules.has(rule)) expect(refused, rule).toContain("render/image-missing");
      }),
      { numRuns: runs(150, 6_000) },
    );
  });

  test("agree on secret values: what `secrets check` passes, `render --secrets` writes", () => {
    const values = fc.record({
      deployment: deployments,
      lacks: fc.array(fc.nat(), { maxLength: 2 }),
      extra: fc.boolean(),
    });
    fc.assert(
      fc.property(values, ({ deployment: { text, context }, lacks, extra }) => {
        const bare = deploymentFrom(text, context);
        const names = bare.secrets.filter(({ managedBy }) => managedBy === "operator").map(({ name }) => name);
        const missing = new Set(lacks.map((at) => names[at % Math.max(names.length, 1)]));
        const lines = names
          .filter((name) => !missing.has(name))
          .map((name, at) => `${name}=${VALUES[name] ?? `k${at}`.padEnd(40, "x7Q")}`);
        if (extra) lines.push(`DATABASE_URL=${VALUES["DATABASE_URL"]}`);
        const deployment = withEnvFile(bare, { file: ".env", text: `${lines.join("\n")}\n`, mode: 0o600 });
        const found = runRules(deployment);
        if (blockingDiagnostics("render", found, deployment).length > 0) return;
        if (checkSecretValues(deployment).some(({ severity }) => severity === "error")) return;
        const refusals = refusalsOf(deployment, true).filter(({ rule }) => ANNOUNCES[rule] === undefined);
        expect(refusals.map(({ artifact, rule, message }) => `${artifact}: ${rule}: ${message}`)).toEqual([]);
        expect(blockingDiagnostics("render --secrets", found, deployment)).toEqual([]);
      }),
      { numRuns: runs(100, 3_000) },
    );
  });
});
