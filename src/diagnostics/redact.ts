import { looksPlain } from "./mask.ts";

/** Shorter values stand in ordinary words by chance. */
const MIN_LENGTH = 8;

/**
 * The last net under the promise that no message shows a secret value: replaces known values in a text. Values that
 * read like words are left alone, since a message may use these words.
 */
export function redactor(values: Iterable<string>): (text: string) => string {
  const known = [...new Set(values)]
    .filter((value) => value.length >= MIN_LENGTH && !looksPlain(value))
    .sort((a, b) => b.length - a.length);
  if (known.length === 0) return (text) => text;
  return (text) => known.reduce((rest, value) => rest.replaceAll(value, "[redacted]"), text);
}
