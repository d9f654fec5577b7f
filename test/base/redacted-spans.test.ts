import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSensitiveName } from "../../src/base/redact.ts";
import { withoutSpans } from "../../src/base/redacted-span.ts";
import { redactedSpans, redactedSpansOfEnvLine } from "../../src/base/redacted-spans.ts";
import { isSecretName } from "../../src/base/secret-name.ts";
import { runs } from "../support/runs.ts";

/** The text with what a frame hides written as `*`. */
function shown(text: string, allValues = false): string {
  return withoutSpans(text, redactedSpans(text, allValues ? () => false : undefined)).replaceAll("[hidden]", "*");
}

describe("what a frame of a config shows", () => {
  test.each([
    ['"orgId": "acme", // the org', '"orgId": "acme", // the org'],
    ['"publicUrl": "https://qm.acme.example:8443/"', '"publicUrl": "https://qm.acme.example:8443/"'],
    ['"model": "claude-sonnet-4-5"', '"model": "claude-sonnet-4-5"'],
    ['"accountId": "123456789012"', '"accountId": "123456789012"'],
    [
      '"taskRoleArn": "arn:aws:iam::123456789012:role/qm-core"',
      '"taskRoleArn": "arn:aws:iam::123456789012:role/qm-core"',
    ],
    ['"ANTHROPIC_API_KEY": "ACME_ANTHROPIC_API_KEY"', '"ANTHROPIC_API_KEY": "ACME_ANTHROPIC_API_KEY"'],
    ['"BOXD_API_KEY": "hunter2"', '"BOXD_API_KEY": "*"'],
    ['"apiKey": "correct horse battery staple"', '"apiKey": "*"'],
    ["'password': 'it is \\' quoted'", "'password': '*'"],
    ['"auth": { "AUTH_EMAIL_TRANSPORT": "smtp" }', '"auth": { "AUTH_EMAIL_TRANSPORT": "smtp" }'],
    [
      '"auth": {\n  "AUTH_EMAIL_TRANSPORT": "smtp",\n  "B": 1 }',
      '"auth": {\n  "AUTH_EMAIL_TRANSPORT": "smtp",\n  "B": 1 }',
    ],
    ['"auth": {}, "b": [], "secretEnv": [ ], "c": 1', '"auth": {}, "b": [], "secretEnv": [ ], "c": 1'],
    ['"secretEnv": ["ACME_API_PASSWORD"], "b": "c"', '"secretEnv": ["ACME_API_PASSWORD"], "b": "c"'],
    ['"secrets": [{ "name": "ACME_KEY" }, { "name": "B" }]', '"secrets": [{ "name": "ACME_KEY" }, { "name": "B" }]'],
    ['"tokens": ["hunter2", "hunter3"], "orgId": "acme"', '"tokens": ["*", "*"], "orgId": "acme"'],
    ['"passwords": [hunter2, 1234], "b": 2', '"passwords": [*, *], "b": 2'],
    ['"password": {hunter2}, "b": 2', '"password": *}, "b": 2'],
    ['"password":\n  "on the next line"', '"password":\n  "*"'],
    ['"password": hunter2, "b": 1', '"password": *, "b": 1'],
    ['"url": "postgres://user:pw@db/x"', '"url": "*"'],
    ['"note": "sk-ant-api03-abc"', '"note": "*"'],
    ["// was: ghp_abcdef, now gone", "// was: *, now gone"],
    ['"FOO": "3f9a8b7c6d5e4f3a"', '"FOO": "*"'],
    ['"FOO": "prefix 3f9a8b7c6d5e4f3a suffix"', '"FOO": "prefix * suffix"'],
    ["RUN TOKEN=abc make", "RUN TOKEN=* make"],
    ['"FOO": "\\u0073k-live"', '"FOO": "*"'],
    ['"unterminated: 3f9a8b7c6d5e4f3a', '"unterminated: *'],
    ["DB_PASSWORD: LEAK-summer-2026,", "DB_PASSWORD: *,"],
    ["{\n  DB_PASSWORD=hunter2\n}", "{\n  DB_PASSWORD=*\n}"],
    ["{\n  DB_PASSWORD = two words\n}", "{\n  DB_PASSWORD = *\n}"],
    ["password: hunter", "password: *"],
    ["{ password: 'hunter', orgId: 'acme' }", "{ password: '*', orgId: 'acme' }"],
    ['"DB_PASSWORD" "hunter", "b": "c"', '"DB_PASSWORD" "*", "b": "c"'],
    ['"DB_PASSWORD" hunter', '"DB_PASSWORD" *'],
    ['"DB_PASSWORD" = "hunter"', '"DB_PASSWORD" = "*"'],
    [
      '"DB_PASSWORD": { "value": "hunter", "of": ["x", { "y": "z" }] }, "b": "c"',
      '"DB_PASSWORD": { "value": "*", "of": ["*", { "y": "*" }] }, "b": "c"',
    ],
    [
      '"secretEnv": { "core": { "FOO": "LEAK-summer", "A": "ACME_A" } }, "b": "c"',
      '"secretEnv": { "core": { "FOO": "*", "A": "ACME_A" } }, "b": "c"',
    ],
    ["// the token: ask Ann about it", "// the token: ask Ann about it"],
    ["// the token: hunter", "// the token: *"],
    ["token: ${TOKEN}", "token: ${TOKEN}"],
    ["API_KEY=\nnext line", "API_KEY=\nnext line"],
    ['run "$PWD/x" image', 'run "$PWD/x" image'],
    ['"$schema": "./schema/qm.config.schema.json"', '"$schema": "./schema/qm.config.schema.json"'],
  ])("%j", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  test("shows no string value at all when the finding is about a secret", () => {
    expect(shown('{ "core": { "SMTP": "plain", "N": 1 } }', true)).toBe('{ "core": { "SMTP": "*", "N": 1 } }');
  });

  test("spans are in order, apart and inside the text, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', "'", ":", "\\", "\n", "{", "}", ",", "a", "1", " ", "key", "漢") }),
        fc.boolean(),
        (text, all) => {
          let last = 0;
          for (const { start, end } of redactedSpans(text, all ? () => false : undefined)) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(end).toBeGreaterThan(start);
            last = end;
          }
          expect(last).toBeLessThanOrEqual(text.length);
        },
      ),
      { numRuns: runs(200, 2_000) },
    );
  });

  test("random values are never shown under any name", () => {
    const value = fc.stringMatching(/^[a-z0-9]{16,40}$/).filter((text) => /[a-z]\d+[a-z]+\d/.test(text));
    fc.assert(
      fc.property(value, (secret) => {
        expect(shown(`{ "env": { "core": { "FOO": "${secret}" } } }`)).not.toContain(secret);
        expect(shown(`// ${secret}`)).not.toContain(secret);
      }),
    );
  });

  test("does not scan hostile lines again and again", () => {
    // Each would take minutes, far over the limit of a test, if the work were quadratic.
    for (const text of [
      `"${"'".repeat(300_000)}`,
      '"a'.repeat(300_001),
      '"\\'.repeat(300_001),
      ":".repeat(600_000),
      "'\\\"".repeat(200_000),
    ]) {
      expect(redactedSpans(text, () => false).every(({ start, end }) => start < end)).toBe(true);
    }
  });
});

describe("what a frame of an env file shows", () => {
  test.each([
    ["BOXD_API_KEY=hunter2", "BOXD_API_KEY="],
    ["  export A_B = x", "  export A_B ="],
    ["MIIEpAIBAAKCAQEAx9=", ""],
    ["-----END KEY-----", ""],
    ["no assignment", ""],
    ["A=", "A="],
  ])("%j", (line, expected) => {
    const hidden = redactedSpansOfEnvLine(line)[0];
    expect(hidden === undefined ? line : line.slice(0, hidden.start)).toBe(expected);
  });
});

test.each(["BOXD_API_KEY", "apiKey", "client_secret", "SMTP_PASS", "GH_PAT", "DEPLOY_PEM", "password"])(
  "%s looks secret",
  (name) => {
    expect(isSensitiveName(name)).toBe(true);
  },
);

test("every name that rules call secret is hidden in frames as well", () => {
  const word = fc.constantFrom(
    "APP",
    "KEYS",
    "KEY",
    "2",
    "encryption",
    "Key",
    "SESSION",
    "JWT",
    "BEARER",
    "CREDS",
    "PGPASS",
    "PWD",
    "SORT",
    "MAX",
    "TOKEN",
    "WEBHOOK",
    "SLACK",
    "_",
    "-",
  );
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 6 }),
      (words) => !isSecretName(words.join("")) || isSensitiveName(words.join("")),
    ),
    { numRuns: runs(200, 2_000) },
  );
  for (const name of ["APP_KEYS", "encryptionKey", "SESSION_JWT", "FOO_BEARER", "FOO_KEY_2", "SMTP_CREDS", "PGPASS"]) {
    expect(isSensitiveName(name), name).toBe(true);
    const line = `"${name}": "hunter"`;
    const [span] = redactedSpans(line);
    expect(line.slice(span?.start, span?.end), name).toBe("hunter");
  }
});

test.each(["orgId", "backend", "basePort", "SANDBOX_BACKEND", "publicUrl", "services"])(
  "%s does not look secret",
  (name) => {
    expect(isSensitiveName(name)).toBe(false);
  },
);
