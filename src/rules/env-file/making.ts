import type { Deployment, Secret } from "../../deployment/deployment.ts";

/** How to come by a value, as the end of a help line. */
export function howToGet(secret: Secret, { config }: Deployment): string {
  if (secret.source.kind === "hex32") return "make one with `openssl rand -hex 32`";
  if (secret.source.kind === "p256-jwk") return "it is a private P-256 key as a JWK, which `qm-deploy init` makes";
  const { hint } = secret.source;
  if (hint === null) return secret.description;
  const filled = hint
    .replaceAll("<org>", config.env?.core?.["BOXD_ORG"] ?? "<org>")
    .replaceAll("<fly-org>", config.flyOrg ?? "<fly-org>")
    .replaceAll("<sandbox-app>", config.sandbox?.app ?? "<sandbox-app>");
  return `${secret.description}: ${filled}`;
}
