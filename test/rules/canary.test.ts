import { describe, expect, test } from "vitest";
import { runRules } from "../../src/rules/run-rules.ts";
import { deploymentFrom } from "../support/fragment.ts";

/** Values that are refused for all kinds of reasons, each with a part that must never be seen again. */
const FORMS: readonly ((canary: string) => string)[] = [
  (canary) => canary,
  (canary) => `sk-ant-api03-${canary}${canary}`,
  (canary) => `postgres://qm:${canary}@db/qm`,
  (canary) => `http://${canary}.internal:99/?key=${canary}`,
  (canary) => `{"kty":"EC","crv":"P-256","d":"${canary}","x":"${canary}","y":"${canary}"}`,
  (canary) => `<${canary}>`,
  (canary) => `${canary}, ${canary}:admin`,
];

const NAMES = [
  "SANDBOX_BACKEND",
  "SANDBOX_SECONDARY_BACKEND",
  "SANDBOX_SCOPE_BACKENDS",
  "BOXD_NAME_PREFIX",
  "BOXD_API_KEY",
  "ACME_TOKEN",
  "PUBLIC_API_URL",
  "DATABASE_URL",
  "ADMIN_GRANTS",
  "AUTH_SIGNING_JWK",
  "AUTH_ALLOWED_EMAILS",
  "AUTH_EMAIL_FROM",
  "CAPABILITY_SECRET",
  "CORE_SIGNING_SECRET",
  "OTHER",
];
/** Longer than a name that messages may show. */
const CANARY = "c4n4ryBirdThatSingsInNoOutputAtAll";

function planted(value: string): Record<string, string> {
  return Object.fromEntries(NAMES.map((name) => [name, value]));
}

function deployment(target: string, value: string) {
  const config = {
    contract: 1,
    orgId: "acme",
    publicUrl: "https://qm.acme.dev",
    target,
    services: ["core", "slack", "web-ui", "portal", "auth"],
    plugins: [{ name: "acme", image: "ghcr.io/acme/x:1", env: planted(value) }],
    env: { core: planted(value), slack: planted(value), portal: planted(value) },
    secretEnv: { core: { ADMIN_GRANTS: "ADMIN_GRANTS" } },
    sandbox: { backend: "boxd", env: planted(value) },
    aws: { services: { core: { buildArgs: planted(value) } } },
  };
  const env = [
    ...NAMES.map((name) => `${name}='${value}'`),
    `CAPABILITY_SECRET='${value}' ${CANARY}`,
    `AUTH_TOKEN_SECRET="${CANARY}\\"${CANARY}"`,
    `SMTP_HOST=x # ${CANARY}`,
    `${CANARY}${CANARY}`,
    `BAD-${"NAME"}=${CANARY}`,
    `SMTP_PASSWORD="${CANARY}`,
    "",
  ].join("\n");
  return deploymentFrom(JSON.stringify(config, null, 2), { release: "0.1.12", env });
}

describe("a value is never shown", () => {
  test.each(["docker", "fly", "aws"].flatMap((target) => FORMS.map((form) => [target, form(CANARY)] as const)))(
    "on %s: %s",
    (target, value) => {
      const found = runRules(deployment(target, value));
      expect(found.length).toBeGreaterThan(20);
      const said = found
        .map(({ message, help, command, fix }) => JSON.stringify([message, help, command, fix?.title]))
        .filter((text) => text.includes(CANARY));
      expect(said).toEqual([]);
    },
  );
});
