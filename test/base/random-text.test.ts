import { expect, test } from "vitest";
import { looksRandom } from "../../src/base/random-text.ts";
import { redactText } from "../../src/base/redact.ts";

test.each([
  "us-east-1",
  "t4g.small",
  "v1",
  "web-ui",
  "1024mb",
  "linux/amd64",
  "shared-cpu-2x",
  "größe-überall",
  "postgres://<user>:<password>@db/qm",
  `ghcr.io/acme/core@sha256:${"5e".repeat(32)}`,
])("%s is ordinary text", (run) => {
  expect(looksRandom(run)).toBe(false);
});

test.each([
  "3f9a8b7c6d5e4f3a",
  "iObVqSUEIdVX30",
  "größ3e7üb9erall",
  "postgres://user:word@db/qm",
  "a\\u0062c",
  "word-".repeat(60),
])("%s looks random", (run) => {
  expect(looksRandom(run)).toBe(true);
});

// What follows each prefix reads like words, so that nothing but the prefix tells.
test.each([
  "sk-",
  "sk_",
  "pk-",
  "rk_",
  "ghp_",
  "gho_",
  "ghu_",
  "ghs_",
  "ghr_",
  "github_pat_",
  "glpat-",
  "xoxb-",
  "xoxp-",
  "AKIA",
  "ASIA",
  "AIza",
  "eyJ",
  "-----BEGIN",
])("a key that begins with %s is known by that", (prefix) => {
  expect(looksRandom(`${prefix}word-word`)).toBe(true);
  expect(redactText(`set ${prefix}word-word here`)).toBe("set [hidden] here");
});
