import { describe, expect, test } from "vitest";
import type { TargetName } from "../../../src/config/written-config.ts";
import { findRelease } from "../../../src/catalog/releases/index.ts";
import type { Release } from "../../../src/catalog/releases/release.ts";
import { evaluateRows, type Verdict } from "./evaluate.ts";
import { deployment, loadWithPeer, type PeerConfig, peerModule, type PeerSecret } from "./peer.ts";

const release = findRelease("0.1.12") as Release;
const { computedSecrets, secretDestinations } = await peerModule("secrets.js");

function peerVerdicts(config: PeerConfig): Map<string, Verdict> {
  return new Map(
    (computedSecrets(config) as PeerSecret[]).map((secret) => {
      const destinations = [...(secretDestinations(secret) as Map<string, Set<string>>)].flatMap(([workload, names]) =>
        [...names].map((name) => `${workload}.${name}`),
      );
      return [secret.name, { required: secret.required, destinations: destinations.sort() }];
    }),
  );
}

/** Names where our catalogue is meant to say something else than qm's, and why. */
const INTENDED: readonly {
  readonly names: readonly string[];
  readonly where: (config: PeerConfig) => boolean;
  readonly because: string;
}[] = [
  {
    names: ["DATABASE_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ENDPOINT_URL_S3"],
    where: (config) => config.target === "fly",
    because: "Fly sets them when database and bucket are attached; qm's catalogue does not list what it reads there",
  },
  {
    names: ["SUPERSERVE_API_KEY", "SPRITES_TOKEN", "E2B_API_KEY"],
    where: (config) => config.env["core"]?.["SANDBOX_SECONDARY_BACKEND"] !== undefined,
    because: "a secondary backend needs its key like a primary one; qm knows that of agent37 alone",
  },
  {
    names: ["SPRITES_TOKEN"],
    where: (config) => config.env["core"]?.["SANDBOX_BACKEND"] === " ",
    because: "a blank name counts as unset; in qm it hides `sandbox.backend`",
  },
];

const TARGETS = ["docker", "fly", "aws"] as const;
const ALL = ["core", "slack", "web-ui", "admin", "portal", "auth"];

const PORTAL = { services: ["core", "web-ui", "portal"] };

/** A table of deployments, each differing from the plain one in what decides over some row. */
function configs(target: TargetName): (readonly [string, object])[] {
  const core = (env: { [name: string]: string }, change: object = {}): object =>
    deployment(target, { ...change }, { core: env });
  const everything = (auth: { [name: string]: string }): object => deployment(target, { services: ALL }, { auth });
  return [
    ["plain", deployment(target)],
    ["slack", deployment(target, { services: ALL })],
    ["slack over http", deployment(target, { services: ALL }, { slack: { SLACK_EVENTS_MODE: "http" } })],
    ...(["anthropic", "openai", "openrouter"] as const).map(
      (modelProvider) => [modelProvider, deployment(target, { modelProvider })] as const,
    ),
    ...["pi", "opencode", "codex", "claude", "mock"].map(
      (harness) => [`harness ${harness}`, core({ HARNESS: harness })] as const,
    ),
    ["provider by env", core({ MODEL_PROVIDER: "openai" }, { modelProvider: "anthropic" })],
    ...["sprites", "smolmachines", "e2b", "modal", "porter", "agent37"].map(
      (name) => [`env backend ${name}`, core({ SANDBOX_BACKEND: name })] as const,
    ),
    ["superserve", core({ SUPERSERVE_TEMPLATE: "t" }, { sandbox: { backend: "superserve" } })],
    ...["sprites", "agent37", "local", "aws"].map(
      (backend) => [`backend ${backend}`, deployment(target, { sandbox: { backend } })] as const,
    ),
    ...["agent37", "sprites", "e2b"].map(
      (name) => [`secondary ${name}`, core({ SANDBOX_SECONDARY_BACKEND: name })] as const,
    ),
    ["scopes", core({ SANDBOX_SCOPE_BACKENDS: '{"a":"modal","b":"smolmachines"}' })],
    ["blank env backend", core({ SANDBOX_BACKEND: " " }, { sandbox: { backend: "sprites" } })],
    ["deploys to fly", core({ DEPLOY_PROVIDER: "fly" })],
    ["deploys to a shared fly app", core({ DEPLOY_PROVIDER: "fly", FLY_DEPLOY_SHARED_APP_NAME: "apps" })],
    ["deploys to porter", core({ DEPLOY_PROVIDER: "porter" })],
    ...[
      "AWS_DEPLOY_APPS_DOMAIN",
      "DEPLOY_APPS_DOMAIN",
      "GOOGLE_OAUTH_CLIENT_ID",
      "DROPBOX_OAUTH_CLIENT_ID",
      "LINEAR_OAUTH_CLIENT_ID",
    ].map((name) => [name, core({ [name]: "apps.acme.dev" })] as const),
    ["smtp", everything({ AUTH_EMAIL_TRANSPORT: "smtp" })],
    ["allowed domain", everything({ AUTH_ALLOWED_EMAIL_DOMAIN: "acme.dev" })],
    ["portal with Slack", deployment(target, PORTAL)],
    ...[
      ["OIDC_CLIENT_ID", "acme-client"],
      ["OIDC_ALLOWED_EMAILS", "ada@acme.dev"],
      ["OIDC_ALLOWED_EMAIL_DOMAIN", "acme.dev"],
      ["PORTAL_EXPECTED_TEAM_ID", "T0123456"],
    ].map(
      ([name = "", value = ""]) =>
        [`portal with ${name}`, deployment(target, PORTAL, { portal: { [name]: value } })] as const,
    ),
  ];
}

const CONFIGS = TARGETS.flatMap((target) =>
  configs(target).map(([name, config]) => [`${target}: ${name}`, config] as const),
);
const plainAws = deployment("aws");
const background = { ...plainAws, aws: { ...(plainAws["aws"] as object), backgroundWorkControl: true } };

describe("the catalogue of 0.1.12 says what qm's says", () => {
  const known = [...CONFIGS, ["aws: background work control", background] as const].map(([name, config]) => ({
    name,
    loaded: loadWithPeer(config),
  }));
  const accepted = known.flatMap(({ name, loaded }) => (loaded.ok ? [{ name, config: loaded.config }] : []));

  test("qm accepts nearly all of the table", () => {
    // Refused are the backends that a target does not have.
    expect(known.filter(({ loaded }) => !loaded.ok).map(({ name }) => name)).toEqual([
      "docker: backend aws",
      "fly: backend local",
      "fly: backend aws",
      "aws: backend local",
    ]);
  });

  test.each(accepted)("$name", ({ config }) => {
    const ours = evaluateRows(config, release);
    const theirs = peerVerdicts(config);
    for (const { names, where } of INTENDED) {
      if (where(config)) for (const name of names) for (const side of [ours, theirs]) side.delete(name);
    }
    expect(Object.fromEntries([...ours].sort())).toEqual(Object.fromEntries([...theirs].sort()));
  });

  test.each(INTENDED)("an intended difference is still one: $because", ({ names, where }) => {
    const differing = accepted
      .filter(({ config }) => where(config))
      .flatMap(({ config }) => {
        const [ours, theirs] = [evaluateRows(config, release), peerVerdicts(config)];
        return names.filter((name) => JSON.stringify(ours.get(name)) !== JSON.stringify(theirs.get(name)));
      });
    expect(differing).not.toEqual([]);
  });

  test("terraform manages the same names", () => {
    const terraform = (
      computedSecrets(accepted.find(({ name }) => name === "aws: plain")?.config) as PeerSecret[]
    ).filter((secret) => secret.managedBy === "terraform");
    const ours = release.secrets.filter((row) => row.managedBy?.aws === "terraform").map((row) => row.name);
    expect(ours).toEqual(terraform.map((secret) => secret.name));
  });
});
