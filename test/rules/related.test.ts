import { expect, test } from "vitest";
import type { Deployment } from "../../src/deployment/deployment.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { RULES } from "../../src/rules/all.generated.ts";
import { runRules } from "../../src/rules/run-rules.ts";
import { sourcesOf } from "../../src/workspace/load-deployment.ts";
import { deploymentFrom, deploymentOf } from "../support/fragment.ts";
import { CONTEXTS } from "./contexts.ts";

/** What stands at the further places of a finding, and their labels. */
function furtherPlaces(deployment: Deployment, { related = [] }: Diagnostic): string[] {
  const sources = sourcesOf(deployment);
  return related.map(({ file, range, message }) => {
    const text = sources.get(file) ?? "";
    // What `.env` holds for a secret is blanked.
    const slice = text.slice(range.start.offset, range.end.offset).replace(/\p{Co}+/u, "•••");
    return `${slice} (${message})`;
  });
}

/** Further places of what the bad fragment of a rule shows. */
const EXPECTED: { readonly [rule: string]: readonly string[] } = {
  "aws/duplicate-coordinates": ['"acme-core" (the other one)'],
  "aws/fargate-size": ["256 (asked for with it)"],
  "aws/protocols": ['"https://qm.acme.dev" (the other address)'],
  "aws/shared-task-role": ['"arn:aws:iam::210987654321:role/acme-shared" (the same role)'],
  "config/other-target": ['"docker" (the target)'],
  "env-file/arn-elsewhere": ['"us-west-2" (where the tasks run)'],
  "env-file/blank-hides-value": ["ACME_NAME (the entry above)"],
  "env-file/duplicate-name": ["ACME_NAME (the entry above)"],
  "env-file/reused-value": ["••• (the same value)"],
  "layer/duplicate-skill": ["name (the first of that name)"],
  "layer/duplicate-tool": ['"acme" (the first of that id)'],
  "layer/second-broker": ['"broker" (the other broker)'],
  "model/harness-pair": ['"openrouter" (the provider)'],
  "plugins/core-access": ["false (what keeps it from it)"],
  "plugins/duplicate-name": ['"acme-bot" (the first of that name)'],
  "plugins/repeated-name": ['"ACME_LOGIN" (the first time)'],
  "portal/outside-domain": ['"acme.dev" (the domain)'],
  "portal/session-lifetime": ['"86400" (longer than that)'],
  "sandbox/backend-mismatch": ['"boxd" (declared here)'],
  "sandbox/fly-only-field": ['"boxd" (selected here)'],
  "sandbox/secondary-equals-primary": ['"boxd" (the primary backend)'],
  "services/conflicting-env": ['"a" (what core gets)'],
  "services/disabled-service": ['"services" (the services that run)'],
  "services/duplicate": ['"web-ui" (the first time)'],
  "services/overridden-identity": ['"acme" (what it would be made from)'],
  "services/unsigned-identity": ['"test" (what makes it count)'],
  "skills/duplicate": ['"skills/support" (the first time)'],
  "skills/not-mounted": ['"fly" (the target)'],
};

test("findings about two places name the second", () => {
  const found: { [rule: string]: string[] } = {};
  for (const rule of RULES) {
    const deployment = deploymentOf(rule.bad, CONTEXTS[rule.id] ?? {});
    const places = runRules(deployment)
      .filter((diagnostic) => diagnostic.rule === rule.id)
      .flatMap((diagnostic) => furtherPlaces(deployment, diagnostic));
    if (places.length > 0) found[rule.id] = places;
  }
  expect(found).toEqual(EXPECTED);
});

test.each([
  ['{ "contract": 1,\n  "contract": 1 }', "syntax/duplicate-key", ['"contract" (first set here)']],
  [
    '{ "contract": 1, "orgId": "acme", "services": ["core", "web-ui"], "publicUrl": "http://localhost:3000", "basePort": 9000, "target": "docker" }',
    "docker/public-url-port",
    ["9000 (what the ports are counted from)"],
  ],
])("%s: %s", (text, rule, expected) => {
  const deployment = deploymentFrom(text, {});
  const found = runRules(deployment).filter((diagnostic) => diagnostic.rule === rule);
  expect(found.flatMap((diagnostic) => furtherPlaces(deployment, diagnostic))).toEqual(expected);
});
