import { describe, expect, test } from "vitest";
import { applyChanges } from "../../src/config/edit.ts";
import { loadConfig } from "../../src/config/load.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";

const SOUND = { contract: 1, orgId: "acme", publicUrl: "https://qm.acme.dev", target: "docker", services: ["core"] };

function load(config: object): { text: string; found: readonly Diagnostic[]; config: unknown } {
  const text = JSON.stringify({ ...SOUND, ...config }, null, 2);
  const loaded = loadConfig({ file: "f", text });
  return { text, found: loaded.diagnostics, config: JSON.parse(JSON.stringify(loaded.config)) as unknown };
}

/** `rule [slice] help or message` of the only finding of a config. */
function only(config: object): {
  rule: string;
  slice: string;
  message: string;
  help: string;
  fix: Diagnostic["fix"];
  mended: unknown;
} {
  const { text, found } = load(config);
  expect(found.map(({ rule, message }) => `${rule} ${message}`)).toHaveLength(1);
  const [{ rule, message, help, fix, range }] = found as [Diagnostic];
  const edited = fix === null ? null : applyChanges(text, fix.changes);
  if (edited !== null && !edited.ok) throw new Error(edited.reason);
  const mended = edited === null ? null : loadConfig({ file: "f", text: edited.text });
  if (mended !== null) expect(mended.diagnostics.map((each) => each.message)).not.toContain(message);
  return {
    rule: rule.replace("config/", ""),
    slice: text.slice(range?.start.offset, range?.end.offset),
    message,
    help,
    fix,
    mended: mended === null ? null : (JSON.parse(JSON.stringify(mended.config)) as unknown),
  };
}

describe("unknown fields", () => {
  test.each([
    [{ sandbox: { secretenv: ["A"] } }, '"secretenv"', "did you mean `secretEnv`?"],
    [{ vms: { core: { cpus: 2 } } }, '"cpus"', "delete it; known here: size, memory"],
    [{ plugins: [{ name: "a", imagee: "b" }] }, '"imagee"', "did you mean `image`?"],
    [{ aws: { imagelabel: "x" } }, '"imagelabel"', "did you mean `imageLabel`?"],
    [{ sandobx: {} }, '"sandobx"', "did you mean `sandbox`?"],
    [{ backend: "boxd" }, '"backend"', "`backend` belongs in `securityScreen` or `sandbox`"],
    [{ baseImage: "x" }, '"baseImage"', "`baseImage` belongs in `sandbox`"],
    [{ BOXD_VCPU: "2" }, '"BOXD_VCPU"', "`BOXD_VCPU` belongs in `env.core`"],
    [{ env: { BOXD_VCPU: "2" } }, '"BOXD_VCPU"', "`BOXD_VCPU` belongs in `env.core`"],
    [{ sandbox: { BOXD_API_KEY: "x" } }, '"BOXD_API_KEY"', "a secret belongs in `.env`, not in the config"],
    [{ LOG_LEVEL: "debug" }, '"LOG_LEVEL"', "an environment setting belongs in `env.<service>`, such as `env.core`"],
    [{ imageOverrides: { slack: "x" } }, '"slack"', "slack runs inside core: set it for `core`"],
    [
      { env: { reports: {} }, plugins: [{ name: "reports" }] },
      '"reports"',
      "settings of a plugin belong in its own entry of `plugins`",
    ],
    [
      { securityScreen: { backend: "off", rollout: "shadow" } },
      '"rollout"',
      "delete it; known here: backend, provider, endpoint, rollout",
    ],
    [{ toString: "x" }, '"toString"', expect.stringMatching(/^delete it; known here: contract, orgId/)],
  ])("%j", (config, slice, help) => expect(only(config)).toMatchObject({ rule: "unknown-key", slice, help }));

  test("a misspelt required field is one finding, not two", () => {
    const text = JSON.stringify({ ...SOUND, orgId: undefined, orgid: "acme" });
    const { diagnostics } = loadConfig({ file: "f", text });
    expect(diagnostics.map(({ message, help }) => [message, help])).toEqual([
      ["unknown field `orgid`", "did you mean `orgId`?"],
    ]);
  });

  test("a setting is moved where it belongs", () => {
    expect(only({ BOXD_VCPU: "2" }).mended).toMatchObject({ env: { core: { BOXD_VCPU: "2" } } });
    expect(only({ env: { core: { A: "1" }, BOXD_VCPU: "2" } }).mended).toMatchObject({
      env: { core: { A: "1", BOXD_VCPU: "2" } },
    });
  });

  test("one finding each, in document order, at the key", () => {
    const { found, text } = load({ xx: 1, yy: 2 });
    expect(found.map(({ range }) => text.slice(range?.start.offset, range?.end.offset))).toEqual(['"xx"', '"yy"']);
  });
});

describe("values", () => {
  test.each([
    [{ contract: 2 }, "contract", "2", "contract 2 is not supported: this toolkit knows contract 1"],
    [{ contract: true }, "contract", "true", "`contract` must be the number 1"],
    [{ contract: "1" }, "wrong-type", '"1"', "`contract` must be a whole number, not text"],
    [{ region: 1 }, "wrong-type", "1", "`region` must be text in double quotes, not a number"],
    [{ imageOverrides: null }, "wrong-type", "null", "`imageOverrides` must be an object, not `null`"],
    [{ sandbox: [] }, "wrong-type", "[]", "`sandbox` must be an object, not an array"],
    [
      { env: { core: { PORT: 8080 } } },
      "wrong-type",
      "8080",
      "`env.core.PORT` must be text in double quotes, not a number",
    ],
    [{ basePort: "8080" }, "wrong-type", '"8080"', "`basePort` must be a number, not text"],
    [
      { basePort: 65534 },
      "bad-value",
      "65534",
      "`basePort` must be a whole number from 1 to 65533 (the two ports above it are used too)",
    ],
    [{ target: "Docker " }, "unknown-name", '"Docker "', "`target` must be one of docker, fly, aws"],
    [
      { services: ["core", "webui"] },
      "unknown-name",
      '"webui"',
      "`services[1]` must be one of core, web-ui, admin, portal, auth, slack",
    ],
    [
      { securityScreen: { backend: "of" } },
      "unknown-name",
      '"of"',
      "`securityScreen.backend` must be one of off, model, proxy",
    ],
    [
      { appPrefix: "Acme Corp!" },
      "bad-value",
      '"Acme Corp!"',
      "`appPrefix` must be lowercase letters, digits and inner hyphens, at most 63 characters",
    ],
    [
      { vms: { core: { memory: "banana" } } },
      "bad-value",
      '"banana"',
      "`vms.core.memory` must be an amount of memory such as `512mb` or `2gb`",
    ],
    [
      { sandbox: { baseImage: "x@sha256:abc" } },
      "bad-value",
      '"x@sha256:abc"',
      "`sandbox.baseImage` must be an image reference with its digest: `@sha256:` and 64 hexadecimal digits",
    ],
    [
      { env: { core: { "MY.KEY": "1" } } },
      "env-name",
      '"MY.KEY"',
      'the key `env.core["MY.KEY"]` must be an environment name: letters, digits and `_`, not starting with a digit',
    ],
    [
      { plugins: [{ name: "a", env: { "A B": "1" } }] },
      "env-name",
      '"A B"',
      'the key `plugins[0].env["A B"]` must be an environment name: letters, digits and `_`, not starting with a digit',
    ],
    [
      { sandbox: { secretEnv: ["A-B"] } },
      "env-name",
      '"A-B"',
      "`sandbox.secretEnv[0]` must be an environment name: letters, digits and `_`, not starting with a digit",
    ],
    [{ plugins: [{ name: "slack" }] }, "bad-value", '"slack"', expect.stringContaining("none of the names core")],
    [{ model: " " }, "bad-value", '" "', "`model` is blank"],
    [{ plugins: [{ image: "x" }] }, "missing-key", "{", "`plugins[0].name` is missing"],
    [{ securityScreen: {} }, "missing-key", '"securityScreen"', "`securityScreen.backend` is missing"],
    [
      { aws: { services: { core: { publicPaths: ["/x/*", "/x/*"] } } } },
      "bad-value",
      expect.stringContaining("/x/*"),
      "`aws.services.core.publicPaths` must be a list of 1 to 5 different paths",
    ],
    [
      { aws: { services: { core: { cpu: 0.5 } } } },
      "wrong-type",
      "0.5",
      "`aws.services.core.cpu` must be a whole number, not one with a fraction or beyond 2^53",
    ],
    [
      { aws: { deployBranch: "refs/heads/main" } },
      "bad-value",
      '"refs/heads/main"',
      "`aws.deployBranch` must be the name of a git branch, without `refs/`",
    ],
  ])("%j", (config, rule, slice, message) => expect(only(config)).toMatchObject({ rule, slice, message }));

  test.each([
    [{ env: { core: { PORT: 8080 } } }, { env: { core: { PORT: "8080" } } }],
    [{ basePort: "8080" }, { basePort: 8080 }],
    [{ aws: { sharedAlb: "true" } }, { aws: { sharedAlb: true } }],
    [{ imageOverrides: null }, {}],
    [{ services: ["core", "webui"] }, { services: ["core", "web-ui"] }],
    [{ publicUrl: "HTTPS://QM.acme.dev:443/" }, { publicUrl: "https://qm.acme.dev" }],
  ])("%j is mended", (config, mended) => expect(only(config).mended).toMatchObject({ ...SOUND, ...mended }));

  // JavaScript's `trim` takes more off than `new URL` does.
  test.each(["\u00a0", "\u2028"])("an origin with %j behind it", (space) => {
    expect(only({ publicUrl: `https://qm.acme.dev${space}` })).toMatchObject({
      rule: "origin-url",
      message: "`publicUrl` has spaces around it",
      fix: { safety: "suggested" },
      mended: SOUND,
    });
  });

  test("a required field that is null is not removed", () => expect(only({ orgId: null }).fix).toBeNull());

  test.each(["contract", "orgId", "publicUrl", "target", "services"])(
    "%s is required, said at the opening brace",
    (key) => {
      expect(only({ [key]: undefined })).toMatchObject({
        rule: "missing-key",
        slice: "{",
        message: `\`${key}\` is missing`,
      });
    },
  );

  test("what did not parse is not also missing", () => {
    const text =
      '{ "contract": 1, "orgId": @, "publicUrl": "https://qm.acme.dev", "target": "docker", "services": ["core"] }';
    expect(loadConfig({ file: "f", text }).diagnostics.map(({ rule }) => rule)).toEqual(["syntax/bare-word"]);
  });

  test("notes may stand at every level, and $schema at the top", () => {
    expect(
      load({
        $schema: "./x.json",
        "//": ["any"],
        env: { "//": 1, core: { "//": { a: null } } },
        plugins: [{ "//": 1, name: "a" }],
        aws: { "//": 0, services: { "//": 1, core: { "//": 1 } } },
      }).found,
    ).toEqual([]);
  });

  test("no value is shown that could be a secret", () => {
    const secret = "canary-9f8e7d";
    const places = [
      { orgId: secret.toUpperCase() },
      { target: secret },
      { publicUrl: `https://u:${secret}@acme.dev` },
      { contract: secret },
      { services: [secret] },
      { basePort: secret },
      { model: [secret] },
      { env: { core: [secret] } },
      { env: { core: { K: `<${secret}>` } } },
      { env: { core: { K: `\${${secret}}` } } },
      { sandbox: secret },
    ];
    for (const place of places)
      for (const { message, help, fix } of load(place).found)
        expect(`${message} ${help} ${fix?.title}`.toLowerCase()).not.toContain(secret);
  });
});

describe("what goes on to the other rules", () => {
  test("is the config without what is unsound", () => {
    const { config } = load({
      $schema: "x",
      region: 1,
      services: ["core", "nope", "auth"],
      env: { core: { A: "1", B: 2, "C D": "3" }, other: {} },
      plugins: [7, { name: "b", secrets: [1, { name: "A" }], nope: 1 }],
      securityScreen: { backend: "nope" },
      sandbox: null,
    });
    expect(config).toEqual({
      ...SOUND,
      services: ["core", "auth"],
      env: { core: { A: "1" } },
      plugins: [{}, { name: "b", secrets: [{}, { name: "A" }] }],
      securityScreen: {},
    });
  });

  test("has no prototype to fall back to", () => {
    const { config } = loadConfig({
      file: "f",
      text: '{"env":{"core":{"__proto__":{"A":"1"}}},"sandbox":{"__proto__":{"backend":"boxd"}}}',
    });
    expect(config.sandbox?.backend).toBeUndefined();
    expect(Object.getPrototypeOf(config.env?.core)).toBeNull();
  });
});

describe("large inputs", () => {
  test.each([
    ["unknown keys", (at: number) => `"k${at}":0`],
    ["bad environment names", (at: number) => `"k ${at}":0`],
    ["duplicates", () => '"a":0'],
    ["placeholders", (at: number) => `"k${at}":"replace-me"`],
  ])("100,000 %s give a bounded report", (_, member) => {
    const members = Array.from({ length: 70_000 }, (_unused, at) => member(at)).join(",");
    for (const text of [`{${members}}`, `{"env":{"core":{${members}}}}`].filter((each) => each.length < 1024 * 1024)) {
      const { diagnostics } = loadConfig({ file: "f", text });
      expect(diagnostics.length).toBeGreaterThan(5);
      expect(diagnostics.length).toBeLessThan(310);
    }
  });

  test("a key of half a megabyte is cut in messages", () => {
    const { diagnostics } = loadConfig({
      file: "f",
      text: `{"${"k".repeat(500_000)}":0,"env":{"core":{"${"A ".repeat(100_000)}":""}}}`,
    });
    for (const { message, help, fix } of diagnostics)
      expect(`${message}${help}${fix?.title}`.length).toBeLessThan(1000);
  });
});
