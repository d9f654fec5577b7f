import { ending } from "./cut-text.ts";

/** Shorter secrets would blot out ordinary text and hide nothing worth hiding. */
const MIN_SECRET_LENGTH = 4;
/** Longer values (a whole upload) cannot occur in a message, and searching for their variants would cost more than it saves. */
const MAX_SECRET_LENGTH = 65_536;
const MASK = "[redacted]";

/**
 * `text` with every secret, and every usual encoding of it, replaced by `[redacted]`. Longest first, so that a secret which contains another
 * does not leave its tail behind.
 */
export function redact(text: string, secrets: Iterable<string>): string {
  const needles = new Set([...secrets].flatMap(variants));
  const longestFirst = [...needles].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((clean, needle) => clean.replaceAll(needle, MASK), text);
}

/** The last `maxChars` characters of the redacted text; redaction comes first, so no secret is cut in half and missed. */
export function redactedTail(text: string, secrets: Iterable<string>, maxChars = 2_000): string {
  return ending(redact(text, secrets), maxChars);
}

function variants(secret: string): string[] {
  if (secret.length < MIN_SECRET_LENGTH || secret.length > MAX_SECRET_LENGTH) return [];
  const bytes = Buffer.from(secret, "utf8");
  // Through the bytes: encodeURIComponent throws for a lone surrogate.
  const encoded = encodeURIComponent(bytes.toString("utf8"));
  const all = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll("'", `'"'"'`),
    secret.replaceAll("'", String.raw`'\''`),
    encoded,
    new URLSearchParams({ "": bytes.toString("utf8") }).toString().slice(1),
    bytes.toString("hex"),
    ...base64Variants(bytes),
  ];
  return all.filter((variant) => variant.length >= MIN_SECRET_LENGTH);
}

/**
 * Base64 of the secret alone, and the stretch that it makes sure of inside the base64 of a longer text, for each of the three alignments
 * (`user:secret` in a basic authorization header). Both alphabets.
 */
function base64Variants(bytes: Buffer): string[] {
  const found: string[] = [];
  for (let lead = 0; lead < 3; lead += 1) {
    const text = Buffer.concat([Buffer.alloc(lead), bytes])
      .toString("base64")
      .replaceAll("=", "");
    const start = lead === 0 ? 0 : lead + 1;
    const partial = (lead + bytes.length) % 3;
    const end = partial === 0 ? text.length : text.length - 1;
    if (end - start >= 8) found.push(text.slice(start, end));
    if (lead === 0) found.push(text);
  }
  return found.flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")]);
}
