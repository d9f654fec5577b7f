import { describe, expect, test } from "vitest";
import { loadConfig } from "../../src/config/load.ts";

// Written in pieces, so that no scanner takes this file for a leak.
const TOKEN = `gh${"p_8fJ2kLmQ9rT5vXz1bN4cW7yH3dG6pS0aE9iU"}`;
const LIVE = `sk${"_live_8fJ2kLmQ9rT5vXz1bN4c"}`;
const ACCESS = `AK${"IAQ3EGT2LMNOPQRSTU"}`;
const BOXD = `bx${"k_4f6XyTq0LmN8sRkZbQwE2vUj7aPcDgHi"}`;
const HEX = "c585cd8dc585cd8dc585cd8dc585cd8d";

const BASE = {
  contract: 1,
  orgId: "acme",
  publicUrl: "https://qm.acme.dev",
  target: "docker",
  services: ["core", "web-ui"],
};

function found(config: object, lead = ""): string[] {
  const text = lead + JSON.stringify({ ...BASE, ...config }, null, 1);
  const { diagnostics } = loadConfig({ file: "f", text });
  expect(JSON.stringify(diagnostics)).not.toContain(TOKEN);
  return diagnostics.filter(({ rule }) => rule === "secrets/misplaced-secret").map(({ message }) => message);
}

const END = ", which does not belong in the config";

describe("a secret", () => {
  test.each<[string, object, string]>([
    [
      "that should be the name of one",
      { secretEnv: { core: { GITHUB_TOKEN: TOKEN } } },
      "`secretEnv.core.GITHUB_TOKEN` names no secret but holds a GitHub token",
    ],
    [
      "of another provider there",
      { secretEnv: { core: { STRIPE: LIVE } } },
      "`secretEnv.core.STRIPE` names no secret but holds a Stripe key",
    ],
    [
      "of boxd",
      { secretEnv: { core: { BOXD: BOXD } } },
      "`secretEnv.core.BOXD` names no secret but holds a boxd API key",
    ],
    [
      "of no known form there",
      { secretEnv: { core: { ACME: HEX } } },
      "`secretEnv.core.ACME` names no secret but holds what looks like a secret",
    ],
    ["as a key", { secretEnv: { core: { [ACCESS]: "ACME" } } }, "a key of `secretEnv.core` holds an AWS access key"],
    ["as the name of a setting", { env: { core: { [TOKEN]: "1" } } }, "a key of `env.core` holds a GitHub token"],
    ["as a field", { [TOKEN]: 1 }, "a key of the config holds a GitHub token"],
    [
      "that a plugin is to be given",
      { plugins: [{ name: "bot", secrets: [{ name: LIVE }] }] },
      "`plugins[0].secrets[0].name` names no secret but holds a Stripe key",
    ],
    [
      "that agents are to be given",
      { sandbox: { secretEnv: [TOKEN] } },
      "`sandbox.secretEnv[0]` names no secret but holds a GitHub token",
    ],
    ["in a field of another target", { flyOrg: TOKEN }, "`flyOrg` holds a GitHub token"],
    ["in a region", { region: ACCESS }, "`region` holds an AWS access key"],
    ["inside a name", { appPrefix: `acme-${TOKEN}` }, "`appPrefix` holds a GitHub token"],
    [
      "in the tag of an image",
      { imageOverrides: { core: `ghcr.io/acme/core:${TOKEN}` } },
      "`imageOverrides.core` holds a GitHub token",
    ],
    ["in an address", { publicUrl: "https://qm:hunter2xyz@qm.acme.dev" }, "`publicUrl` holds a URL with a password"],
    ["in the block of a target", { aws: { cluster: TOKEN } }, "`aws.cluster` holds a GitHub token"],
    [
      "in a description",
      { plugins: [{ description: `key ${TOKEN}` }] },
      "`plugins[0].description` holds a GitHub token",
    ],
    ["in a note", { "//": `was ${TOKEN}` }, '`["//"]` holds a GitHub token'],
  ])("%s", (_, config, message) => expect(found(config)).toEqual([message + END]));

  test("in a comment", () => expect(found({}, `// ${TOKEN}\n`)).toEqual([`a comment holds a GitHub token${END}`]));

  test.each<[string, string, string[]]>([
    ["behind the object", `{} ${TOKEN}`, ["text that is no value holds a GitHub token"]],
    ["before it", `${TOKEN} {}`, ["text that is no value holds a GitHub token"]],
    ["in text that is not closed yet", `{ "region": "${TOKEN}\n}`, ["text that is no value holds a GitHub token"]],
    ["below what is read", `${"[".repeat(300)} 1 ${TOKEN}`, ["text that is no value holds a GitHub token"]],
    [
      "in an env file in the place of the config, once for each line",
      `# of CI\nexport GITHUB_TOKEN=${TOKEN}\nBOXD_VCPU=4\nCAPABILITY_SECRET="${HEX}"\r\nA_PASSWORD=hunter2xyz\n`,
      [
        "text that is no value holds a GitHub token",
        "a line of an env file holds a key or token",
        "a line of an env file holds a password",
      ],
    ],
  ])("%s", (_, text, messages) => {
    const { diagnostics } = loadConfig({ file: "f", text });
    const secrets = diagnostics.filter(({ rule }) => rule === "secrets/misplaced-secret");
    expect(secrets.map(({ message }) => message)).toEqual(messages.map((message) => message + END));
  });

  test("is listed a hundred times at most where an env file is full of them", () => {
    const text = `A_PASSWORD=hunter2xyz\n`.repeat(20_000);
    const { diagnostics } = loadConfig({ file: "f", text });
    expect(diagnostics.filter(({ rule }) => rule === "secrets/misplaced-secret")).toHaveLength(100);
  });

  test("is left out of the config, and has no second finding for its shape", () => {
    const text = JSON.stringify({ ...BASE, region: TOKEN, secretEnv: { core: { A: "a b", [LIVE]: "X", B: "B" } } });
    const { config, diagnostics } = loadConfig({ file: "f", text });
    expect(JSON.stringify(config)).not.toMatch(/8fJ2k/);
    expect(config.secretEnv?.core).toEqual({ B: "B" });
    expect(diagnostics.map(({ rule }) => rule)).toEqual([
      "secrets/misplaced-secret",
      "config/env-name",
      "secrets/misplaced-secret",
    ]);
  });
});

test.each<[string, object]>([
  ["a value of an environment, which other rules judge", { env: { core: { A: TOKEN } } }],
  ["one of a plugin", { plugins: [{ env: { A: TOKEN } }] }],
  ["one of agents", { sandbox: { env: { A: TOKEN } } }],
  ["a build argument", { aws: { services: { core: { buildArgs: { A: TOKEN } } } } }],
  [
    "names of secrets",
    { secretEnv: { core: { ACME_TOKEN: "ACME_TOKEN_2026", A: "acme_github_token_for_staging_2" } } },
  ],
  ["a long name", { secretEnv: { core: { A: "ACME20250101KEYBACKUP" } } }],
  ["a digest", { imageOverrides: { core: `ghcr.io/acme/core@sha256:${"15c8a2a4".repeat(8)}` } }],
  ["a role", { aws: { deployRoleArn: "arn:aws:iam::210987654321:role/acme-core" } }],
  ["the form of a key, in words", { plugins: [{ description: "a GitHub token (ghp_…) that may read issues" }] }],
  ["an example", { "//": "for instance ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, or AKIAIOSFODNN7EXAMPLE" }],
])("%s is none", (_, config) => expect(found(config, "// keys look like sk-ant-...\n")).toEqual([]));
