import * as fc from "fast-check";
import { expect, test } from "vitest";
import { shownFileLines } from "../../src/base/file-text.ts";

const shown = (text: string): string =>
  shownFileLines(text)
    .map((line) => line.text)
    .join("\n");

test.each([
  ["SMTP_PASSWORD=correct horse battery", "SMTP_PASSWORD=[hidden]"],
  ["export API_KEY='a b'", "export API_KEY=[hidden]"],
  ["ARG API_KEY=abc", "ARG API_KEY=[hidden]"],
  ["ENV API_KEY abc def", "ENV API_KEY [hidden]"],
  ["FOO=3f9a8b7c6d5e4f3a2b", "FOO=[hidden]"],
  ["RUN TOKEN=abc make", "RUN TOKEN=[hidden] make"],
  ["      SMTP_PASSWORD: correct horse", "      SMTP_PASSWORD: [hidden]"],
  ['  api_token = "abc def"', "  api_token = [hidden]"],
  ['{ "apiKey": "abc def", "b": 1 }', '{ "apiKey": "[hidden]", "b": 1 }'],
  ["# the key was sk-ant-api03-abc", "# the key was [hidden]"],
  [" ::error::x", " \\x3a:error::x"],
  ["\tall: ##[error]", "\tall: \\x23#[error]"],
  // What stands for a value, and is none.
  ["SMTP_PASSWORD: ${SMTP_PASSWORD:?}", "SMTP_PASSWORD: ${SMTP_PASSWORD:?}"],
  ["SMTP_PASSWORD=", "SMTP_PASSWORD="],
  ["SMTP_PASSWORD=<password>", "SMTP_PASSWORD=<password>"],
  ["secrets:", "secrets:"],
  ["secrets = [", "secrets = ["],
  ["token: ACME_TOKEN", "token: ACME_TOKEN"],
  ["persist-credentials: false", "persist-credentials: false"],
  ["AUTH_TOKEN_TTL=3600", "AUTH_TOKEN_TTL=3600"],
  ["SANDBOX_BACKEND=boxd", "SANDBOX_BACKEND=boxd"],
  ['object_store_bucket = "qm-acme-3f9a8b7c6d5e"', 'object_store_bucket = "qm-acme-3f9a8b7c6d5e"'],
])("%s", (text, expected) => expect(shown(text)).toBe(expected));

test("keeps the number of lines, whatever the text", () => {
  const unit = fc.constantFrom(
    "\n",
    "\r",
    "\t",
    '"',
    "'",
    ":",
    "=",
    "{",
    "[",
    "API_KEY",
    "a",
    " ",
    "\\",
    "3f9a8b7c6d5e4f3a",
  );
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      expect(shownFileLines(text)).toHaveLength(text.split("\n").length);
      expect(shown(text)).not.toContain("3f9a8b7c6d5e4f3a");
    }),
  );
});
