import { describe, expect, test } from "vitest";
import { runRules } from "../../src/rules/run-rules.ts";
import { deploymentOf, type FragmentContext } from "../support/fragment.ts";

const LONG = "8f14e45fceea167a".repeat(4);

// The example key of RFC 7517, A.2.
const JWK =
  '{"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM","d":"870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE"}';

/** Findings about `.env` but for what is missing, as `rule NAME`. */
function found(env: string, context: FragmentContext = {}): string[] {
  return runRules(deploymentOf("{}", { ...context, env }))
    .filter(
      ({ rule }) => rule.startsWith("env-file/") && !["env-file/missing-secret", "env-file/no-database"].includes(rule),
    )
    .map(({ rule, message }) => `${rule} ${/`([A-Z_]+)`/.exec(message)?.[1]}`);
}

const AWS = { config: { target: "aws" } };
const FLY = { config: { target: "fly" } };
const FLY_SPRITES = {
  release: "0.1.6",
  config: { target: "fly", sandbox: { backend: "sprites", app: "acme-sandboxes" } },
};

describe("values of .env", () => {
  test.each<[string, string, FragmentContext, string[]]>([
    [
      "a database under a name of one's own is judged as core reads it",
      "MY_DB=mysql://qm:pw@db.acme.dev/qm",
      { config: { secretEnv: { core: { DATABASE_URL: "MY_DB" } } } },
      ["env-file/database-url MY_DB"],
    ],
    [
      "and so are grants",
      "GRANTS=ada@acme.dev",
      { config: { secretEnv: { core: { ADMIN_GRANTS: "GRANTS" } } } },
      ["env-file/admin-grants GRANTS"],
    ],
    [
      "another database is nobody's business here",
      "MY_DB=mysql://qm:pw@db.acme.dev/qm",
      { config: { secretEnv: { core: { WIKI_DATABASE: "MY_DB" } } } },
      [],
    ],
    ["a key in its quotes", "BOXD_API_KEY='\"bxd_acme\"'", {}, ["env-file/unsendable-key BOXD_API_KEY"]],
    ["a Fly token has a word before it", "FLY_SANDBOX_API_TOKEN='FlyV1 fm2_acme,fm2_b'", FLY_SPRITES, []],
    [
      "and nothing else",
      "FLY_SANDBOX_API_TOKEN='FlyV1 fm2_acme fm2_b'",
      FLY_SPRITES,
      ["env-file/unsendable-key FLY_SANDBOX_API_TOKEN"],
    ],
    [
      "a token of one's own may be two words",
      "ACME_TOKEN='two words'",
      { config: { secretEnv: { core: { ACME_TOKEN: "ACME_TOKEN" } } } },
      [],
    ],
    ["a URL with a path is fine", "PUBLIC_API_URL=https://qm.acme.dev/api", {}, []],
    [
      "credentials go to every agent",
      "PUBLIC_API_URL=https://u:p@qm.acme.dev",
      {},
      ["env-file/public-api-url PUBLIC_API_URL"],
    ],
    [
      "aws wants the deployment's own address",
      "PUBLIC_API_URL=https://other.acme.dev",
      AWS,
      ["env-file/public-api-url PUBLIC_API_URL"],
    ],
    ["aws takes it with a slash", "PUBLIC_API_URL=https://qm.acme.dev/", AWS, []],
    [
      "apiUrl is the address where there is one",
      "PUBLIC_API_URL=https://api.acme.dev",
      { config: { target: "aws", apiUrl: "https://api.acme.dev" } },
      [],
    ],
    ["aws wants https", "PUBLIC_API_URL=http://qm.acme.dev", AWS, ["env-file/public-api-url PUBLIC_API_URL"]],
    [
      "an example domain is nobody's",
      "PUBLIC_API_URL=https://qm.example.com",
      {},
      ["env-file/reserved-domain PUBLIC_API_URL"],
    ],
    [
      "a suffix that nobody answers is said to lead nowhere where agents are remote",
      "PUBLIC_API_URL=https://qm.acme.test",
      {},
      [],
    ],
    [
      "and is an example domain where they are not",
      "PUBLIC_API_URL=https://qm.acme.test",
      { release: "0.1.12", config: { sandbox: { backend: "local" } } },
      ["env-file/reserved-domain PUBLIC_API_URL"],
    ],
    [
      "31 characters are too few",
      `CAPABILITY_SECRET=${LONG.slice(0, 31)}`,
      {},
      ["env-file/too-short CAPABILITY_SECRET"],
    ],
    ["32 are enough", `CAPABILITY_SECRET=${LONG.slice(0, 32)}`, {}, []],
    [
      "blanks around a key are not counted",
      `CAPABILITY_SECRET=" ${LONG.slice(0, 31)} "`,
      {},
      ["env-file/too-short CAPABILITY_SECRET"],
    ],
    ["too short is too short on fly, too", "CAPABILITY_SECRET=abc", FLY, ["env-file/too-short CAPABILITY_SECRET"]],
    [
      "a shared value is one finding",
      ["CAPABILITY_SECRET", "CONNECTOR_SECRET_KEY", "CORE_SIGNING_SECRET"].map((name) => `${name}=${LONG}`).join("\n"),
      {},
      ["env-file/reused-value CONNECTOR_SECRET_KEY"],
    ],
    ["two keys that may be the same", `CORE_SIGNING_SECRET=${LONG}\nSKILL_SIGNING_SECRET=${LONG}`, {}, []],
    [
      "a repeated placeholder is a placeholder",
      "CAPABILITY_SECRET=replace-mereplace-mereplace-mereplace-me",
      {},
      ["env-file/placeholder CAPABILITY_SECRET"],
    ],
    ["zeros are a placeholder", `CAPABILITY_SECRET=${"0".repeat(64)}`, {}, ["env-file/placeholder CAPABILITY_SECRET"]],
    [
      "the database on core's own container",
      "DATABASE_URL=postgres://qm:pw@localhost/qm",
      {},
      ["env-file/database-url DATABASE_URL"],
    ],
    [
      "what SOPS and dotenvx write about themselves is no name of ours",
      "sops_version=3.9.0\nsops_mac=x\nDOTENV_PUBLIC_KEY=x\nDOTENV_PUBLIC_KEY_PRODUCTION=x",
      {},
      [],
    ],
    ["keys that only commands read", "FLY_SANDBOX_API_TOKEN=x\nPOSTGRES_PASSWORD=y", {}, []],
    ["docker's names elsewhere", "POSTGRES_PASSWORD=y", FLY, ["env-file/unused-name POSTGRES_PASSWORD"]],
    ["the key of boxd without boxd", "BOXD_API_KEY=x", { config: { sandbox: { backend: "sprites", app: "a" } } }, []],
    ["a route makes a name consumed", "ACME=x", { config: { secretEnv: { core: { ACME_TOKEN: "ACME" } } } }, []],
    [
      "a setting that is routed is a secret",
      "BOXD_ORG=x",
      { config: { secretEnv: { core: { BOXD_ORG: "BOXD_ORG" } } } },
      [],
    ],
    [
      "the last line of a name counts",
      "CAPABILITY_SECRET=abc\nCAPABILITY_SECRET=" + LONG,
      {},
      ["env-file/duplicate-name CAPABILITY_SECRET"],
    ],
    [
      "a PEM on several lines",
      'DATABASE_CA_CERT="-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----"',
      {},
      ["env-file/read-otherwise DATABASE_CA_CERT"],
    ],
  ])("%s", (_about, env, context, expected) => expect(found(env, context)).toEqual(expected));
});

const SIGN_IN = { config: { target: "aws", services: ["core", "web-ui", "portal", "auth"] } };
const OWN_PROVIDER = { config: { services: ["core", "web-ui", "portal"] } };
const OTHER = "7a1c9e2b4d6f8035".repeat(4);

describe("no database on docker", () => {
  const isSaid = (env: string, context: FragmentContext = {}): boolean =>
    runRules(deploymentOf("{}", { ...context, env })).some(({ rule }) => rule === "env-file/no-database");

  test("is said where neither of the two has a value", () => {
    expect(isSaid("A=1")).toBe(true);
    expect(isSaid("A=1", FLY)).toBe(false);
    expect(isSaid("POSTGRES_PASSWORD=x")).toBe(false);
    expect(isSaid("DATABASE_URL=postgres://qm:pw@db.acme.dev/qm")).toBe(false);
  });

  test("is not said where the config names another secret for the URL", () => {
    expect(isSaid("A=1", { config: { secretEnv: { core: { DATABASE_URL: "ACME_DB" } } } })).toBe(false);
  });
});

describe("keys that a start refuses", () => {
  test.each<[string, string, FragmentContext, string[]]>([
    [
      "boot row 29: the connectors' key is another's",
      `CONNECTOR_SECRET_KEY=${LONG}\nCORE_SIGNING_SECRET=${LONG}`,
      {},
      ["env-file/reused-value CONNECTOR_SECRET_KEY"],
    ],
    [
      "boot row 30: so are the keys of rights and of identities",
      `CAPABILITY_SECRET=${LONG}\nPORTAL_IDENTITY_SECRET=${LONG}`,
      {},
      ["env-file/reused-value PORTAL_IDENTITY_SECRET"],
    ],
    [
      "boot rows 29, 30: apart they are fine",
      `CAPABILITY_SECRET=${LONG}\nCONNECTOR_SECRET_KEY=${OTHER}\nPORTAL_IDENTITY_SECRET=${LONG.slice(1)}`,
      {},
      [],
    ],
    [
      "boot row 59: sessions are encrypted with the key of core",
      `CORE_SIGNING_SECRET=${LONG}\nPORTAL_SESSION_SECRET=${LONG}`,
      SIGN_IN,
      ["env-file/reused-value PORTAL_SESSION_SECRET"],
    ],
    [
      "boot row 59: with that of skills, which core does not compare",
      `SKILL_SIGNING_SECRET=${LONG}\nPORTAL_SESSION_SECRET=${LONG}`,
      SIGN_IN,
      [],
    ],
    [
      "boot row 71: one key for the broker's clients and its tokens",
      `AUTH_CLIENT_SECRET=${LONG}\nAUTH_TOKEN_SECRET=${LONG}`,
      SIGN_IN,
      ["env-file/reused-value AUTH_TOKEN_SECRET"],
    ],
    ["boot row 71: a short one", "AUTH_CLIENT_SECRET=abc-9f2k", SIGN_IN, ["env-file/too-short AUTH_CLIENT_SECRET"]],
    ["boot row 71: two long ones", `AUTH_CLIENT_SECRET=${LONG}\nAUTH_TOKEN_SECRET=${OTHER}`, SIGN_IN, []],
    [
      "boot row 72: no private key",
      'AUTH_SIGNING_JWK={"kty":"EC","crv":"P-256"}',
      SIGN_IN,
      ["env-file/signing-key AUTH_SIGNING_JWK"],
    ],
    ["boot row 72: a private key", `AUTH_SIGNING_JWK=${JWK}`, SIGN_IN, []],
    ["boot row 69: a comma too many is passed over", "AUTH_ALLOWED_EMAILS=ada@acme.dev,", SIGN_IN, []],
    [
      "boot row 70: nobody in the list",
      'AUTH_ALLOWED_EMAILS=" , "',
      SIGN_IN,
      ["env-file/allowed-emails AUTH_ALLOWED_EMAILS"],
    ],
  ])("%s", (_about, env, context, expected) => expect(found(env, context)).toEqual(expected));

  test.each<[string, FragmentContext, string, string]>([
    ["boot row 27: a key of production", {}, "CAPABILITY_SECRET", LONG],
    ["boot row 28: the key of a backend", {}, "BOXD_API_KEY", `bxd_${LONG.slice(0, 32)}`],
    ["boot row 28: the key of the model's provider", {}, "ANTHROPIC_API_KEY", `sk-ant-api03-${LONG.slice(0, 32)}`],
    ["boot row 60: a key of the portal", OWN_PROVIDER, "PORTAL_SESSION_SECRET", LONG],
    ["boot row 60: the portal's client", OWN_PROVIDER, "OIDC_CLIENT_SECRET", OTHER],
  ])("%s is missing, a placeholder, or there", (_, context, name, value) => {
    const about = (env: string): string[] =>
      runRules(deploymentOf("{}", { ...context, env }))
        .filter(({ rule, message }) => rule.startsWith("env-file/") && message.startsWith(`\`${name}\``))
        .map(({ rule, severity }) => `${severity} ${rule}`);
    expect(about("")).toEqual(["error env-file/missing-secret"]);
    expect(about(`${name}=<your-key>`)).toEqual(["error env-file/placeholder"]);
    expect(about(`${name}=${value}`)).toEqual([]);
  });
});

describe("what is missing", () => {
  function missing(context: FragmentContext): string[] {
    return runRules(deploymentOf("{}", context))
      .filter(({ rule }) => rule === "env-file/missing-secret")
      .map(({ severity, message }) => `${severity} ${/`([A-Z_]+)`/.exec(message)?.[1]}`);
  }

  test("is an error on docker, a note on fly, and never what terraform or fly supply", () => {
    expect(missing({ env: "" })).toContain("error BOXD_API_KEY");
    expect(missing({ env: "", ...FLY })).toContain("info BOXD_API_KEY");
    expect(missing({ env: "", ...FLY }).filter((each) => /DATABASE_URL|AWS_/.test(each))).toEqual([]);
    expect(missing({ env: "", ...AWS }).filter((each) => each.includes("DATABASE_URL"))).toEqual([]);
  });

  test("is BOXD_API_KEY exactly when boxd is selected", () => {
    expect(missing({ env: "", config: { sandbox: { backend: "sprites", app: "a" } } })).not.toContain(
      "error BOXD_API_KEY",
    );
    expect(missing({ env: "", config: { sandbox: { backend: "sprites", app: "a" } } })).toContain(
      "error SPRITES_TOKEN",
    );
    const secondary = {
      env: { core: { SANDBOX_SECONDARY_BACKEND: "boxd" } },
      sandbox: { backend: "sprites", app: "a" },
    };
    expect(missing({ env: "", config: secondary })).toContain("error BOXD_API_KEY");
  });

  test("is not said of a document that is cut off", () => {
    const deployment = deploymentOf("{}", { env: "" });
    expect(runRules({ ...deployment, broken: true }).filter(({ rule }) => rule === "env-file/missing-secret")).toEqual(
      [],
    );
  });
});
