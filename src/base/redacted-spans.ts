import { looksRandom } from "./random-text.ts";
import { isSecretName } from "./secret-name.ts";

/** Offsets of a text that are not shown, `end` exclusive. */
export interface RedactedSpan {
  readonly start: number;
  readonly end: number;
}

/** Pieces of a name that hide its value in a frame although the rules do not call it secret, `SORT_KEY` among them. */
const WIDE_NAME =
  /secret|token|passw|passphrase|pwd|credential|api[-_]?key|private[-_]?key|access[-_]?key|signing|jwk|webhook|dsn|(?:^|[-_])(?:key|pass|pat|pem|auth)$/i;

/** A name of the catalogue's kind (`BOXD_API_KEY`), which a reference to a secret holds instead of the secret itself. */
const REFERENCE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]{1,16}){1,8}$/;

/** True for a name whose value is taken for a secret in a code frame: every name that rules call secret, and more. A frame loses little by hiding a value. */
export function isSensitiveName(name: string): boolean {
  return WIDE_NAME.test(name) || isSecretName(name);
}

/** Hides the runs in `[from, to)` that do not look plain. */
function hideRuns(text: string, from: number, to: number, hidden: RedactedSpan[]): void {
  const runs = /[^\s"'`,;{}[\]()]+/gu;
  for (const match of text.slice(from, to).matchAll(runs)) {
    const start = from + match.index;
    const assigned = /^([A-Za-z_][\w.-]*)=(.+)$/s.exec(match[0]);
    if (assigned !== null && isSensitiveName(assigned[1] as string)) {
      hidden.push({ start: start + (assigned[1] as string).length + 1, end: start + match[0].length });
    } else if (looksRandom(match[0])) hidden.push({ start, end: start + match[0].length });
  }
}

/**
 * Finds where strings end: the answer is the offset of the quote that closes the one at `at`, -1 where none does. A quote
 * that its line leaves open is plain text, and so are those like it up to the line's end, so that no line is read twice.
 */
function stringEnds(text: string): (at: number) => number {
  const openUntil: { [quote: string]: number } = { '"': 0, "'": 0 };
  return (at) => {
    const quote = text[at] as string;
    if (at < (openUntil[quote] ?? Infinity)) return -1;
    for (let end = at + 1; ; end++) {
      const unit = text[end];
      if (unit === quote) return end;
      if (unit === "\\") end++;
      else if (unit === undefined || unit === "\n" || unit === "\r") {
        openUntil[quote] = end;
        return -1;
      }
    }
  };
}

/** The end of what stands between `from` and the next quote, bracket or line end. */
function plainEnd(text: string, from: number): number {
  const stop = /["'\n\r,{}[\]]/g;
  stop.lastIndex = from + 1;
  return stop.exec(text)?.index ?? text.length;
}

/** True where a brace opens an object, rather than a value that is written in braces. */
function opensObject(text: string, at: number): boolean {
  return /^\{\s*(?:["'}/]|$)/.test(text.slice(at, at + 256));
}

/**
 * What a code frame of a JSON-like (or any other) text must not show: values of secret-looking names, and whatever
 * looks random. With `allValues` every string value is hidden. One pass; works on text that does not parse.
 */
export function redactedSpans(text: string, allValues: boolean): RedactedSpan[] {
  const hidden: RedactedSpan[] = [];
  /** The key whose value is expected next; null where none is. */
  let key: string | null = null;
  /** The key of the list that is open: each of its items is a value of it. */
  let list: string | null = null;
  const endOfString = stringEnds(text);
  for (let at = 0; at < text.length;) {
    const unit = text[at] as string;
    if (unit === "," || unit === "[" || unit === "]" || unit === "}" || (unit === "{" && opensObject(text, at))) {
      // Only what stands between brackets is a value.
      if (unit !== ",") list = unit === "[" ? key : null;
      key = list;
      at++;
      continue;
    }
    const close = endOfString(at);
    if (close === -1) {
      const end = plainEnd(text, at);
      const lead = text.slice(at, end).search(/[^\s:]/);
      // Most of it is the colon after a key.
      if (lead !== -1) {
        if (key !== null && isSensitiveName(key)) hidden.push({ start: at + lead, end });
        else hideRuns(text, at, end, hidden);
        key = null;
      }
      at = end;
      continue;
    }
    const content = text.slice(at + 1, close);
    const isKey = /^\s{0,64}:/.test(text.slice(close + 1, close + 66));
    const secret = !isKey && (allValues || (key !== null && isSensitiveName(key)));
    if (secret && !(REFERENCE.test(content) && !looksRandom(content))) {
      if (content !== "") hidden.push({ start: at + 1, end: close });
    } else hideRuns(text, at + 1, close, hidden);
    key = isKey ? content : null;
    at = close + 1;
  }
  return hidden;
}

/** A line of an env file that may be shown up to its `=`: only a name of one case, so that no piece of a value passes for one. */
const ENV_NAME = /^\uFEFF?[ \t]*(?:export[ \t]+)?([A-Z][A-Z0-9_.-]*|[a-z][a-z0-9_.-]*)[ \t]*=/;

/** What a code frame of an env file must not show: everything but the name of an assignment. */
export function redactedSpansOfEnvLine(line: string): RedactedSpan[] {
  const name = ENV_NAME.exec(line);
  const start = name !== null && !looksRandom(name[1] as string) ? name[0].length : 0;
  return start < line.length ? [{ start, end: line.length }] : [];
}
