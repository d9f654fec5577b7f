import { LABEL } from "../../config/schema/field-types.ts";

/** Longest DNS label (RFC 1035). */
export const DNS_LABEL_LENGTH = 63;

/** True for one lower-case DNS label: letters, digits and inner hyphens, at most 63. */
export function isDnsLabel(text: string): boolean {
  return LABEL.test(text);
}

/** True for a DNS label that starts with a letter (RFC 1035's own form, which some providers keep to). */
export function isLetterLedLabel(text: string): boolean {
  return isDnsLabel(text) && /^[a-z]/.test(text);
}

/** True for a name of at least two labels, such as `acme.com`: no scheme, port, `@` or dot at the end; case does not matter. */
export function isDottedDomain(text: string): boolean {
  const labels = text.toLowerCase().split(".");
  return text.length <= 253 && labels.length > 1 && labels.every(isDnsLabel) && !/^\d+$/.test(labels.at(-1) as string);
}
