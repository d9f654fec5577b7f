import { memoizeByText } from "./memo.ts";
import { looksRandom } from "./random-text.ts";
import { BLANK, mergedSpans, REDACTED, type RedactedSpan, withoutSpans } from "./redacted-span.ts";
import { isSecretName } from "./secret-name.ts";
import { findSecrets } from "./secret-shape.ts";
import { findStandIn } from "./stand-in.ts";
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

/** True for a number, a size, a duration or a switch, which says nothing whatever its name is. */
export function isPlainValue(value: string): boolean {
  return PLAIN_VALUE.test(value);
}

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
    if (isNamed && (hidesValue(name, value) || looksRandom(value)))
      hidden.push(withoutStop(text, end - value.length, end));
    else if (looksRandom(match[0])) hidden.push(withoutStop(text, start, end));
  }
  const found = to - from < MIN_RECOGNIZED ? [] : findSecrets(text.slice(from, to));
  if (found.length === 0) return hidden;
  return mergedSpans([...hidden, ...found.map(({ start, end }) => ({ start: from + start, end: from + end }))]);
}

/** What ends a word of a sentence is the sentence's: `machine [hidden]: the call has not ended`. */
function withoutStop(text: string, start: number, end: number): RedactedSpan {
  let last = end;
  while (last - 1 > start && /[:.]/.test(text[last - 1] as string)) last -= 1;
  return { start, end: last };
}

/** Words, names, numbers, addresses and digests stay; a run of random characters does not. */
export const redactText = memoizeByText(1024, (text) => withoutSpans(text, hiddenRuns(text)));

/** File names and other texts that nobody could do without: only what has the form of a secret is hidden. */
export const redactKeys = memoizeByText(512, (text) => withoutSpans(text, mergedSpans(findSecrets(text))));

/** Words as makers of passphrases join them: `correct-horse-battery-staple`. Fewer may be a name of something. */
const PASSPHRASE = /^\p{L}{3,}(?:[-_.]\p{L}{3,}){3,}$/u;

/** From this length on the name of a secret says enough about its value. */
const MIN_NAMED = 8;

/**
 * A value that stands nowhere by chance: one that looks random, a long phrase, and under the name of a secret whatever is long enough
 * and neither a single word, which a message may need, nor a placeholder.
 */
export function isUnmistakable(value: string, name: string): boolean {
  if (value.length < MIN_LENGTH) return false;
  if (looksRandom(value) || (value.length >= 16 && (/\S\s+\S/.test(value) || PASSPHRASE.test(value)))) return true;
  if (value.length < MIN_NAMED || !isSecretName(name)) return false;
  return !/^\p{L}+$/u.test(value) && !isPlainValue(value) && findStandIn(value) === null;
}

/** Finds which of some values stand in a text; shorter ones than seven characters stand anywhere. */
export function createValueFinder(values: Iterable<string>): (text: string) => ReadonlySet<string> {
  return createTextFinder(
    [...values].filter(({ length }) => length >= MIN_LENGTH),
    MIN_LENGTH,
  );
}

/** Blanks what a finder finds out of a text whose offsets and lines must stay. */
function blanking(find: (text: string) => ReadonlySet<string>, isThere: Stands): (text: string) => string {
  return (text) => replacing(text, find(text), isThere, (found) => found.replaceAll(/[^\r\n]/g, BLANK));
}

/** A value, and as JSON writes it. */
function asWritten(values: Iterable<string>): string[] {
  return [...values].flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
}

/** Blanks known values out of a text whose offsets and lines must stay, also where they stand in it as JSON writes them. */
export function createBlanker(values: Iterable<string>): (text: string) => string {
  return blanking(createValueFinder(asWritten(values)), () => true);
}

/** A shorter value is no secret that a text could give away. */
const SHORTEST_ALONE = 3;

/** Tells whether a value that stands somewhere in a text is meant there. */
type Stands = (text: string, start: number, end: number) => boolean;

/** A value of few characters is found where no word goes on beside it. */
const standsAlone: Stands = (text, start, end) =>
  end - start >= MIN_LENGTH || !/[\p{L}\p{N}]/u.test((text[start - 1] ?? "") + (text[end] ?? ""));

/** Replaces values of a text, the longest first. */
function replacing(text: string, values: ReadonlySet<string>, isThere: Stands, by: (found: string) => string): string {
  return [...values]
    .sort((a, b) => b.length - a.length)
    .reduce(
      (rest, value) =>
        rest.replaceAll(value, (found, at: number, whole: string) =>
          isThere(whole, at, at + found.length) ? by(found) : found,
        ),
      text,
    );
}

/**
 * Takes known values out of what a user wrote for people to read, those that read like a word as well: no such text needs them.
 * `hide` shows a text without them, `blank` keeps its offsets and lines.
 */
export function createProseMask(values: Iterable<string>): {
  readonly hide: (text: string) => string;
  readonly blank: (text: string) => string;
} {
  // Lines of a text may be joined.
  const written = asWritten(values).flatMap((value) => [value, value.replaceAll(/\s+/g, " ")]);
  const find = createTextFinder(
    written.filter(({ length }) => length >= SHORTEST_ALONE),
    SHORTEST_ALONE,
  );
  return {
    hide: (text) => replacing(text, find(text), standsAlone, () => REDACTED),
    blank: blanking(find, standsAlone),
  };
}

/**
 * The last net under the promise that no message shows a secret value, whatever a rule does: takes out known values and
 * everything else that looks random. Not meant for a value that reads like a word ({@link isUnmistakable}), since a message may use that
 * word; {@link createProseMask} is for what users write.
 */
export function createRedactor(values: Iterable<string>): (text: string) => string {
  const find = createValueFinder(values);
  return (text) =>
    redactText(
      replacing(
        text,
        find(text),
        () => true,
        () => REDACTED,
      ),
    );
}
