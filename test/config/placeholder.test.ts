import { describe, expect, test } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { findPlaceholder, findSecretPlaceholder } from "../../src/config/placeholder.ts";
import { findReservedDomain } from "../../src/config/placeholder.ts";

describe("placeholders", () => {
  test.each([
    ["replace-me", "replace-me"],
    ["replace_me", "replace_me"],
    ["REPLACEME", "REPLACEME"],
    ["<your-key>", "<your-key>"],
    ["CHANGE_ME", "CHANGE_ME"],
    ["change-me", "change-me"],
    ["CHANGEME", "CHANGEME"],
    ["changeme123", "changeme123"],
    ["xxx", "xxx"],
    ["your-api-key", "your-api-key"],
    ["YOUR_API_KEY", "YOUR_API_KEY"],
    ["sk-ant-...", "sk-ant-..."],
    ["xoxb-…", "xoxb-…"],
    ["${FOO}", "${FOO}"],
    ["{{ org }}", "{{ org }}"],
    ["%ORG%", "%ORG%"],
    ["todo", "todo"],
    ["TBD", "TBD"],
    ["placeholder", "placeholder"],
    ["<org-slug>", "<org-slug>"],
    ["https://<public-url>", "<public-url>"],
    ["https://replace-me-portal.fly.dev", "replace-me"],
    ["http://replace-with-alb-hostname", "replace-with-alb-hostname"],
    ["acme-replace-me", "replace-me"],
    ["https://your-domain.com", "your-domain"],
    ["000000000000", "000000000000"],
    ["arn:aws:iam::000000000000:role/x", "000000000000"],
    ["T0000000000", "T0000000000"],
    [`debian@sha256:${"0".repeat(64)}`, `sha256:${"0".repeat(64)}`],
    ["insert-token-here", "insert-token-here"],
    [" replace me ", "replace me"],
  ])("%s", (value, text) => expect(findPlaceholder(value)?.text).toBe(text));

  test.each([
    "test",
    "acme",
    "todo-list",
    "exchange-me",
    "rate-your-app",
    "Use <br> between lines",
    "Acme <ops@acme.dev>",
    "Replace me when the team grows",
    "1000000000000",
    "0000",
    "10",
    "",
    "-",
    "...b",
    "https://qm.acme.dev",
    "T01ABCDEF",
    "xx-large",
    "know-your-customer",
    "placeholders",
    "a<b",
    "$HOME",
    "${path.root}/x",
    "Loading...",
    "fixmeup",
    "arn:aws:iam::123456789012:role/x",
    "x".repeat(3000),
  ])("%s is none", (value) => expect(findPlaceholder(value)).toBeNull());

  test.each([
    "-",
    "none",
    "secret",
    "aaaaaaaa",
    "0".repeat(32),
    "replace-mereplace-mereplace-me",
    "changeme changeme",
    "your secret",
    "test",
    "replace-me",
    "dummy",
  ])("as a secret also %s", (value) => expect(findSecretPlaceholder(value)).not.toBeNull());

  test.each([
    "hunter2",
    "f3a9c1d27b",
    "p4ssw0rd!",
    "sk-ant-api03-AbCd",
    "correct horse battery staple",
    "-x",
    "aab",
    "yours4tru3ly",
  ])("%s may be a secret", (value) => expect(findSecretPlaceholder(value)).toBeNull());
});

describe("reserved domains", () => {
  test.each([
    ["https://qm.example.com", "qm.example.com"],
    ["http://user@acme.test:8080/x", "acme.test"],
    ["ops@example.org", "example.org"],
    ["example.com", "example.com"],
    ["a@acme.dev, b@acme.example", "acme.example"],
    ["registry.example.com/core:1", "registry.example.com"],
    ["Acme <a@example.net>", "example.net"],
    ["postgres://db.invalid/x", "db.invalid"],
  ])("%s", (value, domain) => expect(findReservedDomain(value)).toBe(domain));

  test.each([
    "https://acme.dev",
    "vitest.test",
    "myexample.com",
    "https://example.com.acme.dev",
    "localhost",
    "see the example",
    "https://acme.dev/?next=https://example.com",
    "./test",
    "x@y",
  ])("%s is none", (value) => expect(findReservedDomain(value)).toBeNull());
});

test.each([
  ["op://acme/qm/key", "`env.core.A` only says where the secret is in 1Password"],
  ["ref+awsssm://acme/key", "`env.core.A` only says where the secret is in a store that vals reads"],
  ["ENC[AES256_GCM,data:a,iv:b,tag:c,type:str]", "`env.core.A` is encrypted by SOPS"],
  ["arn:aws:secretsmanager:us-west-2:210987654321:secret:acme", null],
  ["projects/acme/secrets/key", null],
  ["file:///etc/acme", null],
  ["vault", null],
])("in an environment %s is a reference or not", (value, message) => {
  const text = JSON.stringify({
    contract: 1,
    orgId: "acme",
    publicUrl: "https://qm.acme.dev",
    target: "docker",
    services: ["core"],
    env: { core: { A: value } },
  });
  const found = loadConfig({ file: "f", text }).diagnostics.map((one) => one.message);
  expect(found).toEqual(message === null ? [] : [message]);
});

describe("in a config", () => {
  const found = (config: object): string[] =>
    loadConfig({
      file: "f",
      text: JSON.stringify({
        contract: 1,
        orgId: "acme",
        publicUrl: "https://qm.acme.dev",
        target: "docker",
        services: ["core"],
        ...config,
      }),
    }).diagnostics.map(({ rule, message }) => `${rule}: ${message}`);

  test("a value that breaks its pattern because it is a placeholder has one finding", () => {
    expect(found({ orgId: "<org-slug>" })).toEqual(["config/placeholder: `orgId` is the placeholder `<org-slug>`"]);
    expect(found({ publicUrl: "https://<public-url>" })).toEqual([
      "config/placeholder: `publicUrl` holds the placeholder `<public-url>`",
    ]);
    expect(found({ aws: { accountId: "000000000000" } })).toEqual(["config/placeholder: `aws.accountId` is all zeros"]);
    expect(found({ target: "<target>" })).toEqual(["config/placeholder: `target` is the placeholder `<target>`"]);
    expect(found({ env: { core: { "<NAME>": "" } } })).toEqual([
      'config/placeholder: the key `env.core["<NAME>"]` is a placeholder',
    ]);
    expect(found({ "<key>": 1 })).toEqual(['config/placeholder: the key `["<key>"]` is a placeholder']);
  });

  test("the account of a role is that of the deployment, once that is filled in", () => {
    const zeros = "arn:aws:iam::000000000000:role/acme-qm-github-deploy";
    const helpOf = (accountId: string, deployRoleArn: string) => {
      const { diagnostics } = loadConfig({ file: "f", text: JSON.stringify({ aws: { accountId, deployRoleArn } }) });
      const finding = diagnostics.find(({ message }) => message.startsWith("`aws.deployRoleArn`"));
      return { help: finding?.help, changes: finding?.fix?.changes ?? null };
    };
    const value = zeros.replace("000000000000", "210987654321");
    expect(helpOf("210987654321", zeros)).toEqual({
      help: `it lies in the deployment's own account: put \`${value}\` there`,
      changes: [{ kind: "set", path: ["aws", "deployRoleArn"], value }],
    });
    const unknown = { help: "put the real id there", changes: null };
    expect(helpOf("000000000000", zeros)).toEqual(unknown);
    expect(helpOf("210987654321", zeros.replace("acme-qm", "<cluster>"))).toEqual(unknown);
  });

  test("environment values show nothing that an operator wrote", () => {
    expect(
      found({ env: { core: { A: "<some secret>", B: "${B}", C: "sk-ant-...", D: "https://x.example.com" } } }),
    ).toEqual([
      "config/placeholder: `env.core.A` is a placeholder in brackets",
      "config/placeholder: `env.core.B` is a placeholder in brackets",
      "config/placeholder: `env.core.C` is cut short with dots",
      "config/reserved-domain: `env.core.D` names a reserved example domain, which nobody can own",
    ]);
  });

  test("what is free text is left alone", () => {
    expect(
      found({
        "//": "replace-me",
        skills: ["todo", "./your-skill"],
        plugins: [{ name: "todo", secrets: [{ name: "A", description: "TODO" }] }],
        env: { core: { T: "Hello ${NAME}, welcome", F: "a-${B}", "//": "todo" } },
        orgId: "test",
      }),
    ).toEqual([]);
  });
});
