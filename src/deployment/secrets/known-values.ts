import { isPlainValue, isSensitiveName } from "../../base/redact.ts";
import type { Deployment } from "../deployment.ts";

/** What `.env` holds for the secrets of a deployment, and under names that sound like one, by name. */
export function knownSecrets({
  env,
  secrets,
}: Pick<Deployment, "env" | "secrets">): (readonly [name: string, value: string])[] {
  if (env === null || env.values.size === 0) return [];
  const names = new Set(secrets.map(({ name }) => name));
  return [...env.values].filter(([name]) => names.has(name) || isSensitiveName(name));
}

/** From this length on a value of any name may be a secret. */
const TELLING = 7;

/**
 * What `.env` holds that no text for people needs: {@link knownSecrets}, and values of any other name that are neither short nor a
 * number, a size or a switch. `.env` is made for secrets, and a name that no rule knows may be one.
 */
export function privateValues(deployment: Pick<Deployment, "env" | "secrets">): string[] {
  const secrets = new Map(knownSecrets(deployment));
  return [...(deployment.env?.values ?? [])].flatMap(([name, written]) => {
    const value = written.trim();
    return !isPlainValue(value) && (secrets.has(name) || value.length >= TELLING) ? [value] : [];
  });
}
