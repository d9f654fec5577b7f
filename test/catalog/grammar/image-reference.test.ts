import fc from "fast-check";
import { expect, test } from "vitest";
import { isDigestPinned, readImageReference } from "../../../src/catalog/grammar/image-reference.ts";

const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;

test.each([
  ["postgres", { domain: "docker.io", path: "library/postgres", tag: null, digest: null, repository: "postgres" }],
  ["postgres:16", { domain: "docker.io", path: "library/postgres", tag: "16", digest: null, repository: "postgres" }],
  ["acme/core:1.0", { domain: "docker.io", path: "acme/core", tag: "1.0", digest: null, repository: "acme/core" }],
  [
    `ghcr.io/acme/core@${DIGEST}`,
    { domain: "ghcr.io", path: "acme/core", tag: null, digest: DIGEST, repository: "ghcr.io/acme/core" },
  ],
  [
    `ghcr.io/acme/core:v1@${DIGEST}`,
    { domain: "ghcr.io", path: "acme/core", tag: "v1", digest: DIGEST, repository: "ghcr.io/acme/core" },
  ],
  ["localhost/core", { domain: "localhost", path: "core", tag: null, digest: null, repository: "localhost/core" }],
  [
    "localhost:5000/core:dev",
    { domain: "localhost:5000", path: "core", tag: "dev", digest: null, repository: "localhost:5000/core" },
  ],
  ["[::1]:5000/core", { domain: "[::1]:5000", path: "core", tag: null, digest: null, repository: "[::1]:5000/core" }],
  ["REGISTRY/core", { domain: "REGISTRY", path: "core", tag: null, digest: null, repository: "REGISTRY/core" }],
  [
    "a__b/c---d.e_f",
    { domain: "docker.io", path: "a__b/c---d.e_f", tag: null, digest: null, repository: "a__b/c---d.e_f" },
  ],
])("%s", (text, reference) => {
  expect(readImageReference(text)).toEqual({ ok: true, reference });
  expect(isDigestPinned(text)).toBe(reference.digest !== null);
});

test.each([
  ["", "blank"],
  ["https://ghcr.io/acme/core", "URL"],
  ["ghcr.io/acme/core :1", "space"],
  ["ghcr.io/Acme/core", "upper-case"],
  ["acme//core", "repository"],
  ["acme/core/", "repository"],
  ["/core", "repository"],
  ["acme/-core", "repository"],
  ["acme/co___re", "repository"],
  ["acme/core:", "tag"],
  ["acme/core:-x", "tag"],
  [`acme/core:${"x".repeat(129)}`, "tag"],
  ["acme/core@sha256:abc", "digest"],
  [`acme/core@${DIGEST.toUpperCase().replace("SHA", "sha")}`, "digest"],
  [`acme/core@${DIGEST}0`, "digest"],
  [`acme/core@md5:${"0".repeat(32)}`, "digest"],
  [`acme/core@@${DIGEST}`, "digest"],
  [`a.-b/core`, "host name"],
  ["0".repeat(64), "image id"],
  ["a".repeat(256), "255"],
])("%j is refused: %s", (text, word) => {
  expect(readImageReference(text)).toEqual({ ok: false, reason: expect.stringContaining(word) as string });
  expect(isDigestPinned(text)).toBe(false);
});

test("what is put together from sound parts is taken apart into them", () => {
  const part = fc.stringMatching(/^[a-z0-9]{1,8}((\.|_|__|-{1,2})[a-z0-9]{1,4})?$/);
  const domain = fc.constantFrom(
    "ghcr.io",
    "localhost:5000",
    "210987654321.dkr.ecr.us-west-2.amazonaws.com",
    "127.0.0.1:80",
  );
  const tag = fc.option(fc.stringMatching(/^\w[\w.-]{0,20}$/));
  fc.assert(
    fc.property(
      domain,
      fc.array(part, { minLength: 1, maxLength: 4 }),
      tag,
      fc.option(fc.constant(DIGEST)),
      (host, parts, written, digest) => {
        const repository = `${host}/${parts.join("/")}`;
        const text = repository + (written === null ? "" : `:${written}`) + (digest === null ? "" : `@${digest}`);
        expect(readImageReference(text)).toEqual({
          ok: true,
          reference: { domain: host, path: parts.join("/"), tag: written, digest, repository },
        });
      },
    ),
  );
});
