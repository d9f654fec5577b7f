import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { SecretSource } from "../catalog/secret-row.ts";

/**
 * Makes the value of a secret with the system's CSPRNG: 32 bytes in hex, or a private P-256 key as a JWK on one line.
 * Null where only the operator can get it.
 */
export function generateSecret(source: SecretSource): string | null {
  if (source.kind === "operator") return null;
  if (source.kind === "hex32") return randomBytes(32).toString("hex");
  const { kty, crv, x, y, d } = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  return JSON.stringify({ kty, crv, x, y, d });
}
