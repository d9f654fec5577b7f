import { urlHostKind } from "../catalog/grammar/host.ts";
import { nameOf } from "../catalog/settings/index.ts";
import { findReservedDomain } from "../config/placeholder.ts";
import { apiOrigin } from "../deployment/api-origin.ts";
import type { Deployment, Secret } from "../deployment/deployment.ts";
import { setEnvValue } from "../envfile/index.ts";
import { envFileReaders, generateSecret } from "../workspace/set-secret.ts";
import { howToGet } from "../rules/envfile/how-to-get.ts";

/** Secrets that `.env` gets a line for: the required ones, and on docker the password that the database is made with. */
function inEnv({ secrets }: Deployment): readonly Secret[] {
  return secrets.filter((secret) => secret.managedBy === "operator" && (secret.required || isDatabasePassword(secret)));
}

function isDatabasePassword({ source, destinations }: Secret): boolean {
  return source.kind === "hex32" && destinations.some((place) => place.workload === "pg");
}

/** How whoever fills the file in gets a value, on one line; an option of a command whose value nobody knows yet is left out. */
export function howToGetValue(secret: Secret, deployment: Deployment): string {
  // Wired by the scaffold's own config alone, so that the catalogue does not know what it is.
  if (secret.name === "ADMIN_GRANTS")
    return "Who becomes an administrator: a comma list such as ada@acme.dev:org_admin";
  const how = secret.source.kind === "operator" ? howToGet(secret, deployment).help : secret.description;
  return how.replaceAll(/[\r\n]+/g, " ").replaceAll(/ --?[a-z]+ <[a-z-]+>/g, "");
}

/** True where a deployment that ran before has a value which no new one can take the place of. */
export function isLasting({ source }: Secret): boolean {
  return source.kind === "hex32" && source.lasting === true;
}

/** Where a value comes from that is not made anew, as the deployment may run already. */
export function keptValue({ name }: Secret): string {
  return `where this deployment runs already, the value that it has; else \`qm-deploy secrets set ${name} --generate\` makes one`;
}

function entry(secret: Secret, deployment: Deployment, mayRun: boolean): string {
  const isMade = secret.source.kind !== "operator";
  const about = !isMade ? "" : mayRun && isLasting(secret) ? `: ${keptValue(secret)}` : " (made by qm-deploy init)";
  return `# ${howToGetValue(secret, deployment)}${about}\n${secret.name}=\n`;
}

/** What the config says already; null where it does not, and for a domain that nobody has. */
function knownValue({ destinations }: Secret, deployment: Deployment): string | null {
  const { target } = deployment;
  const name = nameOf(deployment.release.release, "core.publicApiUrl");
  const isApiUrl = destinations.some(({ workload, env }) => workload === "core" && env === name);
  const origin = isApiUrl && target !== "docker" ? apiOrigin(deployment) : null;
  const isReal = origin !== null && urlHostKind(origin) === "public" && findReservedDomain(origin) === null;
  return isReal ? origin : null;
}

/**
 * A new `.env`: keys that can be made are, what the config says is written, everything else is left blank. `mayRun`: the config was there
 * before, so that the deployment may run already, with keys of its own; those that last are left blank then.
 *
 * @throws when a made value cannot be written, which would be a fault of ours
 */
export function envText(deployment: Deployment, mayRun = false): string {
  const lead =
    "# Secrets of this deployment. git ignores this file: never commit or send it. `qm-deploy secrets` says what each is for.\n";
  const secrets = inEnv(deployment);
  const blank = `${lead}${secrets.map((secret) => `\n${entry(secret, deployment, mayRun)}`).join("")}`;
  return secrets.reduce((text, secret) => {
    if (mayRun && isLasting(secret)) return text;
    const value = generateSecret(secret.source) ?? knownValue(secret, deployment);
    if (value === null) return text;
    const set = setEnvValue(text, secret.name, value, envFileReaders(deployment.target));
    if (!set.ok) throw new Error(set.refusal.reason);
    return set.text;
  }, blank);
}
