import type { JsonValue } from "../base/json.ts";
import { createBlanker, createProseMask, createRedactor, hidesValue, REDACTED } from "../base/redact.ts";
import { isSecretName } from "../base/secret-name.ts";
import { parentsOfKeys } from "../config/schema/lookup.ts";
import { privateValues, type SecretHolder, tellingSecrets } from "../deployment/secrets/known-values.ts";
import { mapSuppressionTexts } from "../rules/suppression/suppression-texts.ts";

/** Shows values of a config by the name that they stand under: what may be secret becomes `[hidden]`. */
export type ValueMask = (name: string, value: string) => string;

/** Takes out of a text what `.env` holds for the secrets of some deployments, and whatever looks random. */
export function redactorFor(...deployments: readonly SecretHolder[]): (text: string) => string {
  return createRedactor(deployments.flatMap((one) => tellingSecrets(one).map(([, value]) => value)));
}

/** Takes out of what users wrote for people to read whatever `.env` holds, be it a word. */
export function proseMask(...deployments: readonly SecretHolder[]): (text: string) => string {
  return createProseMask(deployments.flatMap(privateValues)).hide;
}

/**
 * Blanks what `.env` holds for the secrets of a deployment out of a text whose offsets and lines must stay; out of suppressions, which
 * are written for people to read, whatever it holds.
 */
export function blankerFor(deployment: SecretHolder): (text: string) => string {
  const blank = createBlanker(tellingSecrets(deployment).map(([, value]) => value));
  const prose = createProseMask(privateValues(deployment));
  return (text) => blank(mapSuppressionTexts(text, prose.blank));
}

/** Hides values of secret-looking names, runs that look random, and whatever `.env` holds for a secret. */
export function valueMask(...deployments: readonly SecretHolder[]): ValueMask {
  const redact = redactorFor(...deployments);
  return (name, value) => (hidesValue(name, value) ? REDACTED : redact(value));
}

/**
 * A value of a config with every text and number in it masked by its own key, and every key; items of a list by the list's, and what
 * stands below a secret's name by that. The config's own fields, such as `secretsPrefix`, hold no secret because of their name.
 */
export function maskConfigValue(mask: ValueMask, name: string, value: JsonValue): JsonValue {
  if (typeof value === "string") return mask(parentsOfKeys().has(name) ? "" : name, value);
  if (typeof value === "number") {
    const shown = maskConfigValue(mask, name, String(value));
    return shown === String(value) ? value : shown;
  }
  if (Array.isArray(value)) return value.map((item: JsonValue) => maskConfigValue(mask, name, item));
  if (value === null || typeof value !== "object") return value;
  const shown = Object.create(null) as { [key: string]: JsonValue };
  const isSecret = isSecretName(name) && !parentsOfKeys().has(name);
  for (const [key, child] of Object.entries(value))
    shown[mask("", key)] = maskConfigValue(mask, isSecret ? name : key, child as JsonValue);
  return shown;
}
