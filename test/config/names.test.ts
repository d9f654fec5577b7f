import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { closestName, editDistance } from "../../src/base/closest-name.ts";
import { readOrigin } from "../../src/config/origin-url.ts";
import { isRefusedPath, printPath, readPath } from "../../src/base/config-path.ts";
import { runs } from "../support/runs.ts";

describe("paths", () => {
  test.each([
    ["env.core.BOXD_VCPU", ["env", "core", "BOXD_VCPU"]],
    ["plugins[0].image", ["plugins", 0, "image"]],
    ['aws.services["my.plugin"].cpu', ["aws", "services", "my.plugin", "cpu"]],
    ['["a b"][1]["//"]', ["a b", 1, "//"]],
    ["env.web-ui.A", ["env", "web-ui", "A"]],
    ["", []],
  ])("%s", (text, path) => {
    expect(readPath(text)).toEqual({ ok: true, path });
    expect(printPath(path)).toBe(text);
  });

  test.each([".a", "a.", "a..b", "a[", "a[-1]", "a[01]", "a[x]", 'a["x]', "a b", "0", "a[0]b", '["\\x"]'])(
    "%s is refused",
    (text) => {
      expect(readPath(text)).toMatchObject({ ok: false });
    },
  );

  test("reading undoes printing", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.nat(999_999_999))), (path) => {
        expect(readPath(printPath(path))).toEqual({ ok: true, path });
      }),
    );
  });

  test("names of JavaScript's own objects", () => {
    for (const name of ["__proto__", "constructor", "prototype"]) expect(isRefusedPath(["env", name])).toBe(true);
    expect(isRefusedPath(["env", "toString", 0])).toBe(false);
  });
});

describe("nearest names", () => {
  test.each([
    ["dokcer", ["docker", "fly", "aws"], "docker"],
    ["boxed", ["boxd", "sprites"], "boxd"],
    ["BOXD", ["boxd", "sprites"], "boxd"],
    ["web_ui", ["web-ui", "core"], "web-ui"],
    ["xyz", ["docker", "fly", "aws"], null],
    ["fl", ["fly", "flx"], null],
    ["", ["fly"], null],
    ["awss", ["aws"], "aws"],
    ["x".repeat(10_000), ["aws"], null],
  ])("%s", (written, names, meant) => expect(closestName(written, names)).toBe(meant));

  test("is a symmetric distance, zero only for equals, one for one slip", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), fc.nat(7), (a, b, at) => {
        expect(editDistance(a, b, 10)).toBe(editDistance(b, a, 10));
        expect(editDistance(a, b, 10) === 0).toBe(a === b);
        expect(editDistance(a, b, 1)).toBe(Math.min(editDistance(a, b, 10), 2));
        const swapped = a.slice(0, at) + (a[at + 1] ?? "") + (a[at] ?? "") + a.slice(at + 2);
        expect(editDistance(a, swapped, 10)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("origins", () => {
  test.each([
    ["https://acme.dev", "https://acme.dev"],
    ["https://acme.dev/", "https://acme.dev"],
    ["http://localhost:8082", "http://localhost:8082"],
    ["http://[::1]:3000", "http://[::1]:3000"],
    ["https://10.0.0.1", "https://10.0.0.1"],
    ["https://xn--mnchen-3ya.example", "https://xn--mnchen-3ya.example"],
  ])("%s", (text, origin) => expect(readOrigin(text)).toEqual({ ok: true, origin }));

  test.each([
    ["", "is blank", null],
    ["acme.dev", "must begin with `https://` or `http://`", null],
    ["ftp://acme.dev", "must begin with `https://` or `http://`", null],
    ["https://", "is not a URL", null],
    ["https://acme.dev ", "has spaces around it", "https://acme.dev"],
    ["https:acme.dev", "is not written as `https://host`", "https://acme.dev"],
    ["https:\\\\acme.dev", "is not written as `https://host`", "https://acme.dev"],
    ["https://ac\tme.dev", "has spaces or control characters in it", "https://acme.dev"],
    ["https://acme.dev/?", "must not have a query (`?`)", "https://acme.dev"],
    ["https://acme.dev/?a=1", "must not have a query (`?`)", null],
    ["https://acme.dev#", "must not have a fragment (`#`)", "https://acme.dev"],
    ["https://acme.dev/app", "must not have a path", null],
    ["https://ACME.dev", "must be in lower case", "https://acme.dev"],
    ["https://acme.dev:443", "must not name the default port", "https://acme.dev"],
    ["https://acme.dev:", "must not name the default port", "https://acme.dev"],
    ["http://acme.dev:80/", "must not name the default port", "http://acme.dev"],
    ["https://user:pw@acme.dev", "must not hold a user name or password", null],
    ["https://@acme.dev", "must not hold a user name or password", null],
    ["https://acme.dev.", "must not have a dot at the end of its host name", "https://acme.dev"],
    ["https://.", "must not have a dot at the end of its host name", null],
    ["https://acme.dev.:8443", "must not have a dot at the end of its host name", "https://acme.dev:8443"],
    ["https://münchen.example", "is not in the canonical form of its host name", "https://xn--mnchen-3ya.example"],
    ["https://acme.dev:0", "must not name port 0", null],
    ...[
      "https://*.acme.dev",
      "https://acme..dev",
      `https://${"a".repeat(64)}.dev`,
      `https://${"replace-me.".repeat(30)}dev`,
    ].map((text): [string, string, null] => [
      text,
      "must have a host name whose parts are 1 to 63 letters, digits, hyphens or underscores, at most 253 characters in all",
      null,
    ]),
    ["http://0x7f.1", "is not in the canonical form of its host name", "http://127.0.0.1"],
  ])("%j is refused", (text, reason, canonical) => expect(readOrigin(text)).toEqual({ ok: false, reason, canonical }));

  test("what is accepted is its own canonical form, but for one slash", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string().map((text) => `https://${text}`),
        ),
        (text) => {
          const reading = readOrigin(text);
          if (reading.ok) expect([reading.origin, `${reading.origin}/`]).toContain(text);
          else if (reading.canonical !== null)
            expect(readOrigin(reading.canonical)).toEqual({ ok: true, origin: reading.canonical });
        },
      ),
      { numRuns: runs(300, 3_000) },
    );
  });
});
