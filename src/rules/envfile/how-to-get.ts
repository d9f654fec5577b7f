import type { Deployment, Secret } from "../../deployment/deployment.ts";
import { looksRandom } from "../../base/random-text.ts";

/** How to come by the value of a secret: as the end of a help line, and the command where one does it as it stands. */
export function howToGet(
  secret: Secret,
  deployment: Deployment,
): { readonly help: string; readonly command: string | undefined } {
  const { name, description, source } = secret;
  if (source.kind === "hex32") return { help: "make one with `openssl rand -hex 32`", command: "openssl rand -hex 32" };
  if (source.kind === "p256-jwk") {
    const help = "it is a private P-256 key as a JWK, which `qm-deploy init` makes";
    return { help, command: `qm-deploy secrets set ${name} --generate` };
  }
  if (source.hint === null) return { help: description, command: undefined };
  const command = source.command === undefined ? undefined : filledIn(source.command, deployment);
  return {
    help: `${description}: ${filledIn(source.hint, deployment)}`,
    command: command?.includes("<") === true ? undefined : command,
  };
}

/** A hint with what the config knows in the place of `<org>` and the like. */
function filledIn(hint: string, { config }: Deployment): string {
  return hint
    .replaceAll("<org>", plainOr(config.env?.core?.["BOXD_ORG"], "<org>"))
    .replaceAll("<fly-org>", plainOr(config.flyOrg, "<fly-org>"))
    .replaceAll("<sandbox-app>", plainOr(config.sandbox?.app, "<sandbox-app>"));
}

/** The name that the config gives, where it is one that a command line can take; a value that may be something else is left out. */
function plainOr(value: string | undefined, placeholder: string): string {
  return value !== undefined && /^[A-Za-z0-9][A-Za-z0-9._/-]*$/.test(value) && !looksRandom(value)
    ? value
    : placeholder;
}
