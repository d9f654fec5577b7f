import { describe, expect, test } from "vitest";
import type { Deployment, Secret } from "../../src/deployment/deployment.ts";
import { BASE, resolveUnder } from "./resolving.ts";

function secret(deployment: Deployment, name: string): Secret | undefined {
  return deployment.secrets.find((each) => each.name === name);
}

interface Case {
  readonly name: string;
  readonly release?: "0.1.6" | "0.1.12";
  readonly config: { readonly [key: string]: unknown };
  readonly secret: string;
  /** Null: not in the catalogue. */
  readonly required: boolean | null;
  readonly reason?: string;
  readonly because?: unknown;
}

const fly = { target: "fly", flyOrg: "acme-inc", region: "sjc" };
const boxd = { sandbox: { backend: "boxd" } };
const sprites = { sandbox: { backend: "sprites", app: "a" } };

const CASES: readonly Case[] = [
  {
    name: "boxd declared",
    config: boxd,
    secret: "BOXD_API_KEY",
    required: true,
    reason: "`sandbox.backend` is `boxd`",
    because: [["sandbox", "backend"]],
  },
  {
    name: "boxd through env",
    config: { env: { core: { SANDBOX_BACKEND: "boxd" } } },
    secret: "BOXD_API_KEY",
    required: true,
    reason: "`env.core.SANDBOX_BACKEND` is `boxd`",
  },
  {
    name: "boxd as the secondary",
    config: { ...sprites, env: { core: { SANDBOX_SECONDARY_BACKEND: "boxd" } } },
    secret: "BOXD_API_KEY",
    required: true,
    reason: "`env.core.SANDBOX_SECONDARY_BACKEND` is `boxd`",
  },
  {
    name: "boxd in a scope",
    release: "0.1.12",
    config: { ...sprites, env: { core: { SANDBOX_SCOPE_BACKENDS: '{"a":"boxd"}' } } },
    secret: "BOXD_API_KEY",
    required: true,
    reason: "`env.core.SANDBOX_SCOPE_BACKENDS` names `boxd`",
  },
  {
    name: "boxd in a scope that 0.1.6 does not read",
    config: { ...sprites, env: { core: { SANDBOX_SCOPE_BACKENDS: '{"a":"boxd"}' } } },
    secret: "BOXD_API_KEY",
    required: null,
  },
  {
    name: "boxd declared but overridden",
    config: { ...boxd, env: { core: { SANDBOX_BACKEND: "sprites" } } },
    secret: "BOXD_API_KEY",
    required: null,
  },
  { name: "no boxd", config: sprites, secret: "BOXD_API_KEY", required: null },
  { name: "explicit sprites on docker", config: sprites, secret: "SPRITES_TOKEN", required: true },
  { name: "explicit sprites on fly", config: { ...fly, ...sprites }, secret: "SPRITES_TOKEN", required: true },
  {
    name: "sprites by default on fly",
    config: { ...fly, sandbox: { app: "a" } },
    secret: "SPRITES_TOKEN",
    required: true,
    reason: "agents run on `sprites` by default on fly",
    because: [["sandbox", "app"]],
  },
  { name: "the Fly token of Sprites", config: { ...fly, ...sprites }, secret: "FLY_SANDBOX_API_TOKEN", required: true },
  { name: "no Fly token for boxd", config: { ...fly, ...boxd }, secret: "FLY_SANDBOX_API_TOKEN", required: null },
  { name: "no Fly token on docker", config: sprites, secret: "FLY_SANDBOX_API_TOKEN", required: null },
  {
    name: "no Fly token under 0.1.12",
    release: "0.1.12",
    config: { ...fly, ...sprites },
    secret: "FLY_SANDBOX_API_TOKEN",
    required: null,
  },
  {
    name: "the key of another provider",
    config: {},
    secret: "OPENROUTER_API_KEY",
    required: false,
    reason: "`core` can use it; required where the model provider is `openrouter`",
  },
  {
    name: "a provider through env",
    config: { env: { core: { MODEL_PROVIDER: " openrouter " } } },
    secret: "OPENROUTER_API_KEY",
    required: true,
    reason: "`env.core.MODEL_PROVIDER` is `openrouter`",
  },
  {
    name: "a blank provider counts as none",
    config: { env: { core: { MODEL_PROVIDER: " " } } },
    secret: "ANTHROPIC_API_KEY",
    required: true,
    reason: "`modelProvider` is `anthropic`",
  },
  {
    name: "codex",
    config: { env: { core: { HARNESS: "codex" } } },
    secret: "OPENAI_API_KEY",
    required: true,
    reason: "`env.core.HARNESS` is `codex`",
  },
  {
    name: "the address for agents under fly's default harness",
    config: { ...fly, ...boxd, env: {} },
    secret: "PUBLIC_API_URL",
    required: true,
    reason: "HARNESS is `pi` by default on fly",
    because: [],
  },
  { name: "no address under mock", config: { env: {} }, secret: "PUBLIC_API_URL", required: null },
  {
    name: "a connector that slack's env names",
    config: { services: ["core", "slack"], env: { slack: { GOOGLE_OAUTH_CLIENT_ID: "id" } } },
    secret: "GOOGLE_OAUTH_CLIENT_SECRET",
    required: true,
    reason: "`env.slack.GOOGLE_OAUTH_CLIENT_ID` is set",
  },
  {
    name: "people who are routed, which qm does not count as set",
    config: { services: ["core", "web-ui", "portal"], secretEnv: { portal: { OIDC_ALLOWED_EMAILS: "PEOPLE" } } },
    secret: "PORTAL_EXPECTED_TEAM_ID",
    required: true,
    reason:
      "`services` does not have `auth` and `env.portal.OIDC_ALLOWED_EMAILS` is not set and `env.portal.OIDC_ALLOWED_EMAIL_DOMAIN` is not set and `env.portal.PORTAL_EXPECTED_TEAM_ID` is not set",
  },
  {
    name: "a routed secret",
    config: { secretEnv: { core: { ADMIN_GRANTS: "GRANTS" } } },
    secret: "GRANTS",
    required: true,
    reason: "`secretEnv.core.ADMIN_GRANTS` names it",
    because: [["secretEnv", "core", "ADMIN_GRANTS"]],
  },
  {
    name: "a route to a service that is not enabled",
    config: { secretEnv: { portal: { X: "GRANTS" } } },
    secret: "GRANTS",
    required: null,
  },
  {
    name: "a secret for sandboxes that boxd does not deliver",
    config: { sandbox: { backend: "boxd", secretEnv: ["TOOL"] } },
    secret: "TOOL",
    required: null,
  },
  { name: "docker's Postgres", config: {}, secret: "POSTGRES_PASSWORD", required: false },
  { name: "no Postgres of ours on fly", config: fly, secret: "POSTGRES_PASSWORD", required: null },
  {
    name: "a plain row",
    config: {},
    secret: "CORE_SIGNING_SECRET",
    required: true,
    reason: "`core` and `web-ui` need it",
    because: [["services", 1]],
  },
];

describe("catalogueSecrets", () => {
  test.each(CASES)("$name", (each) => {
    const found = secret(resolveUnder(each.release ?? "0.1.6", { ...BASE, ...each.config }), each.secret);
    expect(found?.required ?? null).toBe(each.required);
    if (each.reason !== undefined) expect(found?.reason).toBe(each.reason);
    if (each.because !== undefined) expect(found?.because).toEqual(each.because);
  });

  test("who manages a secret depends on the target", () => {
    const manager = (target: string): string | undefined =>
      secret(resolveUnder("0.1.12", { ...BASE, target }), "DATABASE_URL")?.managedBy;
    expect([manager("docker"), manager("fly"), manager("aws")]).toEqual(["operator", "fly", "terraform"]);
  });

  test("two names for one destination both stay visible", () => {
    const deployment = resolveUnder("0.1.12", { ...BASE, secretEnv: { core: { ANTHROPIC_API_KEY: "OTHER" } } });
    const names = deployment.secrets.filter(({ destinations }) =>
      destinations.some(({ workload, env }) => workload === "core" && env === "ANTHROPIC_API_KEY"),
    );
    expect(names.map(({ name }) => name)).toEqual(["ANTHROPIC_API_KEY", "OTHER"]);
  });
});
