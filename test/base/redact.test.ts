import { describe, expect, test } from "vitest";
import { createRedactor, isUnmistakable, redactText } from "../../src/base/redact.ts";

describe("redactText", () => {
  test.each([
    "`env.core.SANDBOX_BACKEND` names `boxdd`, which is no sandbox backend that qm-deploy knows",
    "set `imageOverrides.core` to `ghcr.io/yc-software/core@sha256:" + "5e".repeat(32) + "`",
    "core appends up to 56 (`-scratch-<scope>-<hash>`), see https://qm.example.com:8443/docs",
    "write `postgres://<user>:<password>@<host>:5432/<database>`",
    "`openssl rand -hex 32` makes one; 123456789012 is an account",
    "`arn:aws:iam::123456789012:role/qm-core` and `us-east-1`, `t4g.small`, `shared-cpu-2x`",
  ])("leaves %j as it is", (text) => expect(redactText(text)).toBe(text));

  test.each([
    ["names `zq739c8e221f862bdb8`, which", "names `[hidden]`, which"],
    ["as `secretEnv.core.zq739c8e221f862bdb8` for", "as `[hidden]` for"],
    ["url http://u:pw@host/x is", "url [hidden] is"],
    ["names `iObVqSUEIdVX30`, which", "names `[hidden]`, which"],
    ["key sk-ant-api03-abc here", "key [hidden] here"],
    ["machine openenv-0123456789ab: the call has not ended", "machine [hidden]: the call has not ended"],
    ["API_TOKEN=x1y2z3w4: no", "API_TOKEN=[hidden]: no"],
    ["it was zq739c8e221f862bdb8.", "it was [hidden]."],
    ["API_TOKEN=:::::", "API_TOKEN=[hidden]::::"],
  ])("hides the random part of %j", (text, expected) => expect(redactText(text)).toBe(expected));
});

test("known values are taken out even where they have spaces", () => {
  const redact = createRedactor(["Aa1!Bb2 Cc3dDd4", "Aa1!Bb2 Cc3dDd4 and more1x2y3z4"]);
  expect(redact("it is Aa1!Bb2 Cc3dDd4, the password")).toBe("it is [hidden], the password");
  expect(redact("it is Aa1!Bb2 Cc3dDd4 and more1x2y3z4")).toBe("it is [hidden]");
});

test.each([
  ["correct-horse-battery-staple", "BOXD_ORG", true],
  // Of few words a name of something is made, and what a name says is no secret.
  ["acme-production-data", "BOXD_ORG", false],
  ["horse-battery", "SORT_KEY", false],
  ["prod-boxd-key-2026", "BOXD_API_KEY", true],
  ["horse-battery", "POSTGRES_PASSWORD", true],
  ["hunter22", "POSTGRES_PASSWORD", true],
  ["two words", "POSTGRES_PASSWORD", true],
  ["hunter2", "POSTGRES_PASSWORD", false],
  ["database", "POSTGRES_PASSWORD", false],
  ["Schlüssel", "POSTGRES_PASSWORD", false],
  ["12345678", "POSTGRES_PASSWORD", false],
  ["<password>", "POSTGRES_PASSWORD", false],
  ["mysecretpassword12", "POSTGRES_PASSWORD", false],
])("%s of %s is unmistakable: %j", (value, name, expected) => expect(isUnmistakable(value, name)).toBe(expected));

// Their pieces are too short to be hidden for themselves, and the prefix makes sure that they are not taken for words.
test.each([
  ["sk-1 ab", 7],
  ["sk-12 abc", 9],
  ["sk-12, abcd", 11],
])("a known value of few characters is taken out: %s", (value, length) => {
  expect(value).toHaveLength(length);
  expect(createRedactor([])(`it is ${value}.`)).toBe(`it is ${value}.`);
  expect(createRedactor([value])(`it is ${value}.`)).toBe("it is [hidden].");
});

test("a shorter one may stand in ordinary text by chance", () => {
  expect(createRedactor(["sk-1 a"])("task sk-1 again")).toBe("task sk-1 again");
});
