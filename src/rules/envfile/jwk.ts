import { isJsonObject, own, parseJson } from "../../base/json.ts";
import { isKeyPair, isOnCurve, isPrivateScalar } from "./p256.ts";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The number that base64url text of exactly 32 bytes stands for (RFC 7518 §6.2); null when it is no such text. */
function readCoordinate(value: unknown): bigint | null {
  if (typeof value !== "string" || !/^[\w-]{43}$/.test(value)) return null;
  let bits = 0n;
  for (const digit of value) bits = (bits << 6n) | BigInt(DIGITS.indexOf(digit));
  // 43 digits are 258 bits: two more than 32 bytes have, which must be blank.
  return (bits & 3n) === 0n ? bits >> 2n : null;
}

/**
 * Why a text is not a private P-256 key as a JWK, as words that complete "AUTH_SIGNING_JWK …" and show nothing of it;
 * null when it is one. Beyond the form, the public point must be the one of the private key.
 */
export function privateJwkProblem(text: string): string | null {
  const jwk = parseJson(text);
  if (jwk === undefined) return "is not JSON";
  if (!isJsonObject(jwk)) return "is not a JSON object";
  const member = (name: string): unknown => own(jwk, name);
  if (Array.isArray(member("keys"))) return "is a set of keys, not one key";
  if (member("kty") !== "EC") return "is not an elliptic-curve key (`kty` is not `EC`)";
  if (member("crv") !== "P-256") return "is not on the curve P-256 (`crv`)";
  if (member("d") === undefined) return "is a public key: it has no `d`";
  const [d, x, y] = ["d", "x", "y"].map((name) => readCoordinate(member(name)));
  for (const [name, value] of [
    ["d", d],
    ["x", x],
    ["y", y],
  ] as const) {
    if (value === null || value === undefined) return `has a \`${name}\` that is not 32 bytes in the URL-safe base64`;
  }
  return pairProblem(d as bigint, x as bigint, y as bigint) ?? useProblem(member);
}

function pairProblem(d: bigint, x: bigint, y: bigint): string | null {
  if (!isOnCurve(x, y)) return "has a public point (`x`, `y`) that is not on the curve";
  if (!isPrivateScalar(d)) return "has a `d` out of range";
  return isKeyPair(d, x, y) ? null : "has a public point (`x`, `y`) that does not belong to its `d`";
}

/** What a key says that it may be used for must include signing. */
function useProblem(member: (name: string) => unknown): string | null {
  const [use, operations, algorithm] = [member("use"), member("key_ops"), member("alg")];
  if (use !== undefined && use !== "sig") return "is not meant for signing (`use` is not `sig`)";
  if (Array.isArray(operations) && !operations.includes("sign"))
    return "is not meant for signing (`key_ops` has no `sign`)";
  return algorithm !== undefined && algorithm !== "ES256" ? "is not meant for ES256 (`alg`)" : null;
}
