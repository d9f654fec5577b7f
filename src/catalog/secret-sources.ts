import type { SecretSource } from "./secret-row.ts";

/** 32 random bytes in hex, which this toolkit makes. */
export const HEX32: SecretSource = { kind: "hex32" };

/** A P-256 private key as a JWK, which this toolkit makes. */
export const P256_JWK: SecretSource = { kind: "p256-jwk" };

/** A value that only the operator can get; `hint` says how. */
export function fromOperator(hint: string | null): SecretSource {
  return { kind: "operator", hint };
}
