import fc from "fast-check";
import { expect, test } from "vitest";
import { RELEASES } from "../../src/catalog/releases/index.ts";
import { loadConfig } from "../../src/config/load.ts";
import { resolveChoices } from "../../src/deployment/choices.ts";
import { secretFacts } from "../../src/deployment/secrets/facts.ts";
import { catalogueSecrets } from "../../src/deployment/secrets/index.ts";
import { makeCatalogue } from "../../src/deployment/secrets/make.ts";
import { inputsOf } from "./resolving.ts";

/** Few of each, so that many configs say the same to the catalogue while other fields differ. */
const configs = fc.record({
  orgId: fc.stringMatching(/^[a-z]{4}$/),
  target: fc.constantFrom("docker", "fly", "aws", "x"),
  services: fc.constantFrom(
    ["core"],
    ["core", "web-ui"],
    ["web-ui", "core"],
    ["core", "web-ui", "portal", "auth"],
    ["core", 7, "portal"],
  ),
  modelProvider: fc.constantFrom("openrouter", "anthropic", undefined),
  sandbox: fc.constantFrom(
    undefined,
    { backend: "boxd" },
    { app: "a" },
    { backend: "sprites", app: "a", secretEnv: ["AGENT_KEY"] },
  ),
  env: fc.constantFrom(
    undefined,
    { core: { HARNESS: "codex" } },
    { slack: { HARNESS: "codex" } },
    { core: { DEPLOY_PROVIDER: "fly", ACME: "1" } },
    { core: { SANDBOX_SECONDARY_BACKEND: "boxd" } },
    { auth: { AUTH_EMAIL_TRANSPORT: "smtp" } },
  ),
  secretEnv: fc.constantFrom(
    undefined,
    { core: { DATABASE_URL: "DB" } },
    { core: { A: "B" } },
    { "web-ui": { A: "B" } },
  ),
  plugins: fc.constantFrom(
    undefined,
    [{ name: "bot", secrets: [{ name: "T" }] }],
    [{ name: "bot", secrets: [{ name: "T", required: false }], coreAccess: false }],
  ),
  aws: fc.constantFrom(undefined, { backgroundWorkControl: true }),
});

// What was remembered of other deployments must be what this one would have got alone.
test("a catalogue out of memory is the one that the facts make", () => {
  const seen = new Set<unknown>();
  let asked = 0;
  fc.assert(
    fc.property(configs, fc.constantFrom(...RELEASES), (config, release) => {
      const inputs = inputsOf(JSON.stringify(config));
      const basis = resolveChoices(inputs, loadConfig(inputs.config), release);
      const remembered = catalogueSecrets(basis);
      expect(remembered).toEqual(makeCatalogue(secretFacts(basis)));
      seen.add(remembered);
      asked++;
    }),
    { numRuns: 4000 },
  );
  expect(seen.size, "some were asked for again").toBeLessThan(asked);
});
