/** Longest DNS label (RFC 1035). */
export const DNS_LABEL_LENGTH = 63;

/** True for one lower-case DNS label: letters, digits and inner hyphens, at most 63. */
export function isDnsLabel(text: string): boolean {
  return text.length <= DNS_LABEL_LENGTH && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(text);
}

/** True for a DNS label that starts with a letter (RFC 1035's own form, which some providers keep to). */
export function isLetterLedLabel(text: string): boolean {
  return isDnsLabel(text) && /^[a-z]/.test(text);
}
