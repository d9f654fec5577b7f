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
  "(ResourceNotFoundException)",
  "postgres://<user>:<password>@db/qm",
  `ghcr.io/acme/core@sha256:${"5e".repeat(32)}`,
  "ghcr.io/acme/core:9f86d08",
  "ghcr.io/acme/core:main-9f86d081",
  "localhost:5000/acme/core:2026.11.30-9f86d081884c",
  `ghcr.io/acme/core:${"9f86d081".repeat(5)}`,
  `ghcr.io/acme/core:v1.2.3-9f86d08@sha256:${"5e".repeat(32)}`,
  `actions/checkout@${"3d".repeat(20)}`,
  `acme/actions/deploy@${"3d".repeat(20)}`,
])("%s is ordinary text", (run) => {
  expect(looksRandom(run)).toBe(false);
});

test.each([
  "3f9a8b7c6d5e4f3a",
  "iObVqSUEIdVX30",
  "9f86d081",
  "build-20261130-9f86d08",
  "ghcr.io/acme/core:iObVqSUEIdVX30",
  "ghcr.io/acme/core:9f86d081884c7d65",
  "ghcr.io/acme/9f86d081884c:v1",
  "https://acme.dev/hook:9f86d081",
  "postgres://acme/db:9f86d081",
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
