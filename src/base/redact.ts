import { memoizeByText } from "./memo.ts";
import { looksRandom } from "./random-text.ts";
import { BLANK, mergedSpans, REDACTED, type RedactedSpan, withoutSpans } from "./redacted-span.ts";
import { isSecretName } from "./secret-name.ts";
import { findSecrets } from "./secret-shape.ts";
import { createTextFinder } from "./text-finder.ts";

export { REDACTED };

/** Shorter values stand in ordinary words by chance, and shorter runs never look random. */
const MIN_LENGTH = 7;

/** A run of characters between spaces, quotes and brackets, long enough to be hidden. */
const RUN = /[^\s`"',;()[\]{}]{7,}/g;

/** `NAME=value`; the value of a placeholder or a variable says nothing. */
const ASSIGNMENT = /^(?:[-+]{0,2})([A-Za-z_][\w.-]*)=(?![<$])(.+)$/s;

/** Pieces of a name that hide its value although the rules do not call it secret, `SORT_KEY` among them. */
const WIDE_NAME =
  /secret|token|passw|passphrase|pwd|credential|api[-_]?key|private[-_]?key|access[-_]?key|signing|jwk|webhook|dsn|(?:^|[-_])(?:key|pass|pat|pem)$/i;

/** Last words that say that the value is about a secret and none itself: `SECRETS_BACKEND`, `TOKEN_URL`. What looks random there is still hidden. */
const ABOUT =
  /(?:^|[-_]|(?<=[a-z])(?=[A-Z]))(?:backend|provider|prefix|mode|type|kind|transport|count|limit|size|length|ttl|seconds|sec|ms|days|enabled|required|region|url|uri|endpoint|path|file|dir|issuer|audience|algorithm|alg|name|names|arn|arns)$/i;

/** True for a name whose value is hidden: every name that rules call secret, and more. A reader loses little by it. */
export const isSensitiveName = memoizeByText(
  512,
  (name): boolean => isSecretName(name) || (WIDE_NAME.test(name) && !(ABOUT.test(name) && !/webhook/i.test(name))),
);

const SWITCH = /^\s*(?:true|false)\s*$/;

/** A number, a size, a duration or a switch: none of these is a token, whatever sounds like one in the name. */
const PLAIN_VALUE = /^\s*(?:-?\d{1,9}(?:\.\d{1,9})?\s?(?:ms|s|sec|m|min|h|d|%|k|[kmgt]i?b)?|true|false)\s*$/i;

/** True where a value is hidden because of the name that it stands under. */
export function hidesValue(name: string, value: string): boolean {
  if (value === "" || !isSensitiveName(name)) return false;
  return !(isSecretName(name) ? SWITCH : PLAIN_VALUE).test(value);
}

/** Recognized secrets are longer, and most strings of a config are not. */
const MIN_RECOGNIZED = 16;

/**
 * The pieces of `[from, to)` that may be secret, in order and apart: what has the form of one, runs that look random, and
 * what is assigned to a secret-looking name.
 */
export function hiddenRuns(text: string, from = 0, to = text.length): RedactedSpan[] {
  const hidden: RedactedSpan[] = [];
  for (const match of text.slice(from, to).matchAll(RUN)) {
    const start = from + match.index;
    const end = start + match[0].length;
    const [, name = "", value = ""] = ASSIGNMENT.exec(match[0]) ?? [];
    const isNamed = name !== "" && !looksRandom(name);
    if (isNamed && (hidesValue(name, value) || looksRandom(value))) hidden.push({ start: end - value.length, end });
    else if (looksRandom(match[0])) hidden.push({ start, end });
  }
  const found = to - from < MIN_RECOGNIZED ? [] : findSecrets(text.slice(from, to));
  if (found.length === 0) return hidden;
  return mergedSpans([...hidden, ...found.map(({ start, end }) => ({ start: from + start, end: from + end }))]);
}

/** Words, names, numbers, addresses and digests stay; a run of random characters does not. */
export const redactText = memoizeByText(1024, (text) => withoutSpans(text, hiddenRuns(text)));

/** File names and other texts that nobody could do without: only what has the form of a secret is hidden. */
export const redactKeys = memoizeByText(512, (text) => withoutSpans(text, mergedSpans(findSecrets(text))));

/** A value that stands nowhere by chance: one that looks random, or a long phrase. */
function isUnmistakable(value: string): boolean {
  return value.length >= MIN_LENGTH && (looksRandom(value) || (value.length >= 16 && /\S\s+\S/.test(value)));
}

/** Finds which of some values stand in a text, as far as they do not stand there by chance. */
export function createUnmistakableFinder(values: Iterable<string>): (text: string) => ReadonlySet<string> {
  return createTextFinder([...values].filter(isUnmistakable), MIN_LENGTH);
}

/** Blanks known values out of a text whose offsets and lines must stay, also where they stand in it as JSON writes them. */
export function createBlanker(values: Iterable<string>): (text: string) => string {
  const find = createUnmistakableFinder([...values].flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]));
  return (text) =>
    [...find(text)]
      .sort((a, b) => b.length - a.length)
      .reduce((rest, value) => rest.replaceAll(value, (found) => found.replaceAll(/[^\r\n]/g, BLANK)), text);
}

/**
 * The last net under the promise that no message shows a secret value, whatever a rule does: takes out known values and
 * everything else that looks random. A value that reads like a word is left alone, since a message may use that word.
 */
export function createRedactor(values: Iterable<string>): (text: string) => string {
  const find = createUnmistakableFinder(values);
  return (text) => {
    const known = [...find(text)].sort((a, b) => b.length - a.length);
    return redactText(known.reduce((rest, value) => rest.replaceAll(value, REDACTED), text));
  };
}
