import { memoizeByText } from "./memo.ts";
import { looksRandom } from "./random-text.ts";

/** Shorter values stand in ordinary words by chance, and shorter runs never look random. */
const MIN_LENGTH = 7;

/** What stands for a hidden piece. */
export const REDACTED = "[hidden]";

/** Words, names, numbers, addresses and digests stay; a run of random characters does not. */
export const redactText = memoizeByText(1024, (text) =>
  text.replace(/[^\s`"',;()[\]{}]{7,}/g, (run) => (looksRandom(run) ? REDACTED : run)),
);

/**
 * The last net under the promise that no message shows a secret value, whatever a rule does: takes out known values and
 * everything else that looks random. A value that reads like words is left alone, since a message may use these words.
 */
export function createRedactor(values: Iterable<string>): (text: string) => string {
  const known = [...new Set(values)]
    .filter((value) => value.length >= MIN_LENGTH && looksRandom(value))
    .sort((a, b) => b.length - a.length);
  return (text) => redactText(known.reduce((rest, value) => rest.replaceAll(value, REDACTED), text));
}
