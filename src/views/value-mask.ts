import type { JsonValue } from "../base/json.ts";
import { createRedactor, isSensitiveName, REDACTED, redactText } from "../base/redact.ts";
import { judged, ours, type Shown } from "../base/shown.ts";
import { parentsOfKeys } from "../config/schema/lookup.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { knownSecrets } from "../deployment/secrets/known-values.ts";
import { type Provenance, provenancePaths } from "../deployment/provenance.ts";

/** Shows values of a config by the name that they stand under: what may be secret becomes `[hidden]`. */
export type ValueMask = (name: string, value: string, provenance?: Provenance) => Shown;

/** A value of a config whose texts were judged. */
export type MaskedValue =
  Shown | number | boolean | null | readonly MaskedValue[] | { readonly [key: string]: MaskedValue };

/** Takes out of a text what `.env` holds for the secrets of a deployment, and whatever looks random. */
export function redactorFor(deployment: Pick<Deployment, "env" | "secrets">): (text: string) => string {
  return createRedactor(knownSecrets(deployment).map(([, value]) => value));
}

/** True for what this toolkit made of values that hold no secret: a digest in the name of a bucket looks random, and is none. */
function isOwn(provenance: Provenance | undefined, { document }: Pick<Deployment, "document">): boolean {
  if (provenance === undefined || provenance.kind === "config") return false;
  const sources = provenancePaths(provenance).map((path) => JSON.stringify(document.value(path) ?? ""));
  return sources.every((source) => redactText(source) === source);
}

/**
 * Hides values of secret-looking names, runs that look random, and whatever `.env` holds for a secret, unless the value is
 * derived from the config by this toolkit.
 */
export function valueMask(deployment: Pick<Deployment, "env" | "secrets" | "document">): ValueMask {
  const redact = redactorFor(deployment);
  return (name, value, provenance) => {
    if (isSensitiveName(name) && value !== "") return ours(REDACTED);
    const masked = redact(value);
    return judged(masked !== value && isOwn(provenance, deployment) ? value : masked);
  };
}

/**
 * A value of a config with every text in it masked by its own key, and every key; items of a list by the list's. The config's own
 * fields, such as `secretsPrefix`, hold no secret because of their name.
 */
export function maskConfigValue(mask: ValueMask, name: string, value: JsonValue): MaskedValue {
  if (typeof value === "string") return mask(parentsOfKeys().has(name) ? "" : name, value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => maskConfigValue(mask, name, item));
  if (value === null || typeof value !== "object") return value;
  const shown = Object.create(null) as { [key: string]: MaskedValue };
  for (const [key, child] of Object.entries(value))
    shown[redactText(key)] = maskConfigValue(mask, key, child as JsonValue);
  return shown;
}
