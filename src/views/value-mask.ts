import { parentsOfKeys } from "../config/schema/lookup.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { JsonValue } from "../base/json.ts";
import { looksRandom } from "../base/random-text.ts";
import { redactedSpans, isSensitiveName } from "../base/redacted-spans.ts";
import { REDACTED, redactText } from "../base/redact.ts";

/** Shows values of a config by the name that they stand under: what may be secret becomes `[hidden]`. */
export type ValueMask = (name: string, value: string) => string;

/** Shorter values stand in ordinary text by chance. */
const MIN_KNOWN = 7;

/** An address whose name only talks of tokens or keys: nothing in it is secret. */
function isPlainAddress(name: string, value: string): boolean {
  return (
    /(?:URI|URL|ENDPOINT)$/.test(name) &&
    !/WEBHOOK/.test(name) &&
    /^https?:\/\/[^@?#]*$/.test(value) &&
    !looksRandom(value)
  );
}

/** What `.env` holds for the secrets of a deployment, and under names that sound like one. */
export function knownSecretValues({ env, secrets }: Pick<Deployment, "env" | "secrets">): string[] {
  const names = new Set(secrets.map(({ name }) => name));
  return [...(env?.values ?? [])]
    .filter(([name]) => names.has(name) || isSensitiveName(name))
    .map(([, value]) => value);
}

/** Hides values of secret-looking names, runs that look random, and whatever `.env` holds for a secret. */
export function valueMask(deployment: Pick<Deployment, "env" | "secrets">): ValueMask {
  // A public address may stand in both places; only what does not read like one is a secret that slipped over.
  const secretValues = knownSecretValues(deployment).filter((value) => value.length >= MIN_KNOWN && looksRandom(value));
  return (name, value) => {
    if (secretValues.some((secret) => value.includes(secret))) return REDACTED;
    if (isPlainAddress(name, value)) return value;
    const lead = JSON.stringify({ [name]: "" }).length - 2;
    const isHidden = redactedSpans(JSON.stringify({ [name]: value }), false).some((span) => span.end > lead);
    if (!isHidden) return value;
    const shown = redactText(value);
    return isSensitiveName(name) || shown === value ? REDACTED : shown;
  };
}

/**
 * A value of a config with every text in it masked by its own key; items of a list by the list's. The config's own fields,
 * such as `secretsPrefix`, hold no secret because of their name.
 */
export function maskConfigValue(mask: ValueMask, name: string, value: JsonValue): JsonValue {
  if (typeof value === "string") return mask(parentsOfKeys().has(name) ? "" : name, value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => maskConfigValue(mask, name, item));
  if (value === null || typeof value !== "object") return value;
  const shown = Object.create(null) as { [key: string]: JsonValue };
  for (const [key, child] of Object.entries(value)) shown[key] = maskConfigValue(mask, key, child as JsonValue);
  return shown;
}
