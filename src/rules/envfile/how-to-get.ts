import type { Deployment, Secret } from "../../deployment/deployment.ts";
import { looksRandom } from "../../base/random-text.ts";

/** How to come by a value, as the end of a help line. */
export function howToGet(secret: Secret, { config }: Deployment): string {
  if (secret.source.kind === "hex32") return "make one with `openssl rand -hex 32`";
  if (secret.source.kind === "p256-jwk") return "it is a private P-256 key as a JWK, which `qm-deploy init` makes";
  const { hint } = secret.source;
  if (hint === null) return secret.description;
  const filled = hint
    .replaceAll("<org>", plainOr(config.env?.core?.["BOXD_ORG"], "<org>"))
    .replaceAll("<fly-org>", plainOr(config.flyOrg, "<fly-org>"))
    .replaceAll("<sandbox-app>", plainOr(config.sandbox?.app, "<sandbox-app>"));
  return `${secret.description}: ${filled}`;
}

/** The name that the config gives, where it is one that a command line can take; a value that may be something else is left out. */
function plainOr(value: string | undefined, placeholder: string): string {
  return value !== undefined && /^[A-Za-z0-9][A-Za-z0-9._/-]*$/.test(value) && !looksRandom(value)
    ? value
    : placeholder;
}
