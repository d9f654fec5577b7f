import { generateKeyPairSync } from "node:crypto";
import { p256 } from "@noble/curves/nist.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactText } from "../../src/base/redact.ts";
import { privateJwkProblem } from "../../src/rules/envfile/jwk.ts";
import { isKeyPair, isOnCurve } from "../../src/rules/envfile/p256.ts";
import { runs } from "../support/runs.ts";

/** A fresh private key as node makes it. */
function freshJwk(): Record<string, unknown> {
  return { ...generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }) };
}

function judge(change: Record<string, unknown>): string | null {
  return privateJwkProblem(JSON.stringify({ ...freshJwk(), ...change }));
}

describe("P-256", () => {
  test("agrees with @noble/curves on the point of any private key", () => {
    const order = p256.Point.Fn.ORDER;
    fc.assert(
      fc.property(fc.bigInt(1n, order - 1n), fc.bigInt(1n, 3n), (d, off) => {
        const { x, y } = p256.Point.BASE.multiply(d).toAffine();
        expect(isOnCurve(x, y)).toBe(true);
        expect(isKeyPair(d, x, y)).toBe(true);
        expect(isKeyPair(d, x, y ^ off)).toBe(false);
        expect(isKeyPair(((d + off) % (order - 1n)) + 1n, x, y)).toBe(false);
      }),
      { numRuns: runs(15, 180) },
    );
  });

  test.each([1n, 2n, 3n])("knows the edges of the order: n - %i", (off) => {
    const d = p256.Point.Fn.ORDER - off;
    const { x, y } = p256.Point.BASE.multiply(d).toAffine();
    expect(isKeyPair(d, x, y)).toBe(true);
  });

  test("refuses 0, the order and what is above it", () => {
    const { x, y } = p256.Point.BASE.toAffine();
    const order = p256.Point.Fn.ORDER;
    for (const d of [0n, order, order + 1n]) expect(isKeyPair(d, x, y)).toBe(false);
  });
});

describe("private JWK", () => {
  test("takes what node makes", () => {
    for (let round = 0; round < 20; round++) expect(judge({})).toBeNull();
  });

  test("takes a use that allows signing", () =>
    expect(judge({ use: "sig", alg: "ES256", key_ops: ["sign"], kid: "1" })).toBeNull());

  test.each<[Record<string, unknown>, string]>([
    [{ kty: "RSA" }, "elliptic"],
    [{ crv: "P-384" }, "P-256"],
    [{ d: undefined }, "public key"],
    [{ d: 7 }, "`d`"],
    [{ d: "AAAA" }, "`d`"],
    [{ x: `${"A".repeat(42)}B` }, "`x`"],
    [{ d: "A".repeat(43) }, "out of range"],
    [{ d: "_".repeat(42) + "8" }, "out of range"],
    [{ x: "A".repeat(43) }, "not on the curve"],
    [{ d: freshJwk()["d"] }, "does not belong"],
    [{ use: "enc" }, "signing"],
    [{ key_ops: ["verify"] }, "signing"],
    [{ alg: "ES384" }, "ES256"],
  ])("refuses %j", (change, says) => expect(judge(change)).toContain(says));

  test.each(["", "x", "[]", "null", '"x"', "1", '{"keys":[]}', "{}"])("refuses the text %j", (text) =>
    expect(privateJwkProblem(text)).not.toBeNull(),
  );

  test("never shows any part of a key", () => {
    const jwk = freshJwk();
    for (const change of [{ kty: "RSA" }, { x: "A".repeat(43) }, { d: freshJwk()["d"] }, { d: "short" }]) {
      const said = privateJwkProblem(JSON.stringify({ ...jwk, ...change })) ?? "";
      expect(redactText(said)).toBe(said);
      for (const part of [jwk["d"], jwk["x"], jwk["y"]]) expect(said).not.toContain(part);
    }
  });
});
