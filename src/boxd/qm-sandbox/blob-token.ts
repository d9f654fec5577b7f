import { createHash, createHmac } from "node:crypto";

/** What a token allows: to read one blob, or to write one. */
export type BlobGrant = { dir: "read"; id: string } | { dir: "write" };

const LIFETIME_MS = 120_000;
const ACTOR = "boxd-sandbox";

/**
 * The token with which a machine fetches or leaves one blob at core, good for two minutes: a compact HS256 JWS with core's own claims
 * (docs/contract/boxd.md#blob-staging). `now` is milliseconds since the Unix epoch.
 */
export function mintBlobToken(grant: BlobGrant, secret: string, orgId: string, now: number): string {
  const keyId = createHash("sha256").update(secret).digest("base64url").slice(0, 8);
  const claims = { orgId, actorId: ACTOR, aud: "blob-transfer", scopeId: `personal:${ACTOR}`, blob: grant };
  const signed = [
    { alg: "HS256", kid: keyId },
    { ...claims, exp: now + LIFETIME_MS },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}
