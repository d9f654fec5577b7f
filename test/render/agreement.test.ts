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
import { deploymentFrom } from "../support/fragment.ts";
import { runs } from "../support/runs.ts";
import { deployments } from "./random-deployments.ts";
import { PLAIN } from "./support.ts";

/** Warnings that announce a refusal of render: an image that is not there yet stops an artifact, and no check. */
const ANNOUNCES: { readonly [refusal: string]: readonly RuleId[] } = {
  "render/image-missing": ["config/image-missing", "sandbox/core-image", "sandbox/image-not-published"],
  "render/image-not-pinned": ["config/unpinned-image"],
  "render/deployment-identity": ["aws/background-work"],
};

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
      { numRuns: runs(150, 1_500) },
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
      { numRuns: runs(100, 1_000) },
    );
  });
});
