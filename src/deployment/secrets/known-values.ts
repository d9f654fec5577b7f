import { isPlainValue, isSensitiveName, isUnmistakable } from "../../base/redact.ts";
import { apiOrigin } from "../api-origin.ts";
import type { Deployment } from "../deployment.ts";

/** What is asked of a deployment to tell which values of `.env` are private. */
export type SecretHolder = Pick<Deployment, "env" | "secrets" | "config" | "publicOrigin">;

/**
 * True for the address that the config publishes. PUBLIC_API_URL of `.env` is the same as a rule, and a name that a cloud
 * gives looks as random as a key.
 */
function isOwnAddress(deployment: SecretHolder, value: string): boolean {
  const address = value.trim().replace(/\/$/, "");
  return address !== "" && (address === deployment.publicOrigin || address === apiOrigin(deployment));
}

/** What `.env` holds for the secrets of a deployment, and under names that sound like one, by name. */
function knownSecrets(deployment: SecretHolder): (readonly [name: string, value: string])[] {
  const { env, secrets } = deployment;
  if (env === null || env.values.size === 0) return [];
  const names = new Set(secrets.map(({ name }) => name));
  return [...env.values].filter(
    ([name, value]) => (names.has(name) || isSensitiveName(name)) && !isOwnAddress(deployment, value),
  );
}

/** Those of {@link knownSecrets} that stand in no text by chance, trimmed. */
export function tellingSecrets(deployment: SecretHolder): (readonly [name: string, value: string])[] {
  return knownSecrets(deployment)
    .map(([name, value]) => [name, value.trim()] as const)
    .filter(([name, value]) => isUnmistakable(value, name));
}

/** From this length on a value of any name may be a secret. */
const TELLING = 7;

/**
 * What `.env` holds that no text for people needs: {@link knownSecrets}, and values of any other name that are neither short nor a
 * number, a size or a switch. `.env` is made for secrets, and a name that no rule knows may be one.
 */
export function privateValues(deployment: SecretHolder): string[] {
  const secrets = new Map(knownSecrets(deployment));
  return [...(deployment.env?.values ?? [])].flatMap(([name, written]) => {
    const value = written.trim();
    if (isOwnAddress(deployment, value)) return [];
    return !isPlainValue(value) && (secrets.has(name) || value.length >= TELLING) ? [value] : [];
  });
}
