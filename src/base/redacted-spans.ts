import { parseJson } from "./json.ts";
import { looksRandom } from "./random-text.ts";
import { hiddenRuns, hidesValue, isSensitiveName } from "./redact.ts";
import { blankedSpans, mergedSpans, type RedactedSpan } from "./redacted-span.ts";

/** A name of the catalogue's kind (`BOXD_API_KEY`), which a reference to a secret holds instead of the secret itself. */
const REFERENCE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]{1,16}){1,8}$/;

/** What stands for a value and is none: a block or a list that opens, a variable, a placeholder, the name of a secret, where Terraform keeps its state. */
export const NO_VALUE =
  /^["']?(?:[[{(|>&$<]|[a-z][a-z0-9-]{0,62}\/terraform\.tfstate["']?$|[A-Z][A-Z0-9]*(?:_[A-Z0-9]{1,16}){1,8}["',]*$)/;

/** A name without quotes, and the sign behind it. */
const NAMED = /(?<![\w.-])([A-Za-z_][\w.-]{0,63})[ \t]{0,8}(?:=>|[:=])[ \t]{0,64}/g;

/** What follows a name that lacks its colon. */
const LACKS_COLON = /^[ \t]{0,64}(?:=>?[ \t]{0,64})?["'\w]/;

/**
 * The value that a secret-looking name without quotes gives in `[from, to)`; empty where it stands behind that. Of a sentence, such as
 * `// the token: ask Ann`, nothing is one: a value of several words is alone on its line with its name.
 */
function namedValue(text: string, from: number, to: number): (RedactedSpan & { readonly name: string }) | null {
  const piece = text.slice(from, to);
  for (const match of piece.matchAll(NAMED)) {
    const name = match[1] as string;
    // A shell has `${NAME:-default}`.
    if (!isSensitiveName(name) || text.startsWith("${", from + match.index - 2)) continue;
    const at = match.index + match[0].length;
    const value = piece.slice(at).trimEnd();
    const isOfWords = /\s/.test(value) && piece.slice(0, match.index).trim() !== "";
    // Only a quote goes on with what this line began: `NAME=` of an env file is empty.
    if (value === "" && !/["']/.test(text[to] ?? "")) continue;
    if (value === "" || (hidesValue(name, value) && !isOfWords && !NO_VALUE.test(value)))
      return { name, start: from + at, end: from + at + value.length };
  }
  return null;
}

/** The pieces of a string's content that do not look plain; an escape in it hides its run only where what it says does. */
function hiddenInString(text: string, from: number, to: number): RedactedSpan[] {
  const hidden = hiddenRuns(text, from, to);
  if (hidden.length === 0 || !text.slice(from, to).includes("\\")) return hidden;
  const said = parseJson(`"${text.slice(from, to)}"`);
  return typeof said === "string" && hiddenRuns(said).length === 0 ? [] : hidden;
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
 * What must not be shown of a JSON-like (or any other) text: values of secret-looking names, and whatever looks random.
 * `isShown`: the text is about secrets, and no string value is shown but those that it answers true for. One pass; works
 * on text that does not parse.
 */
export function redactedSpans(text: string, isShown?: (value: string) => boolean): RedactedSpan[] {
  const hidden: RedactedSpan[] = [];
  /** The key whose value is expected next; null where none is. */
  let key: string | null = null;
  /** The key of the list that is open: each of its items is a value of it. */
  let list: string | null = null;
  /** How many brackets are open since a secret-looking name opened one; what stands in them is its value. A list of secrets only describes them. */
  let depth = 0;
  const endOfString = stringEnds(text);
  for (let at = 0; at < text.length;) {
    const unit = text[at] as string;
    if (depth > 0) depth += unit === "{" || unit === "[" ? 1 : unit === "}" || unit === "]" ? -1 : 0;
    else if (unit === "{" && key !== null && key !== "secrets" && isSensitiveName(key) && opensObject(text, at))
      depth = 1;
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
      const lead = text.slice(at, end).search(/[^\s:=>]/);
      // Most of it is the colon after a key.
      if (lead !== -1) {
        const named = namedValue(text, at, end);
        if (key !== null && hidesValue(key, text.slice(at + lead, end))) hidden.push({ start: at + lead, end });
        else if (named === null || named.start === named.end) hidden.push(...hiddenRuns(text, at, end));
        else hidden.push(...hiddenRuns(text, at, named.start), { start: named.start, end: named.end });
        key = named?.start === named?.end ? (named?.name ?? null) : null;
      }
      at = end;
      continue;
    }
    const content = text.slice(at + 1, close);
    const behind = text.slice(close + 1, close + 66);
    const isKey =
      /^\s{0,64}:/.test(behind) || (/^\w+$/.test(content) && isSensitiveName(content) && LACKS_COLON.test(behind));
    const isNamed = content !== "" && (depth > 0 || (key !== null && hidesValue(key, content)));
    const secret = !isKey && (isShown === undefined ? isNamed : !isShown(content));
    if (secret && !(REFERENCE.test(content) && !looksRandom(content))) {
      if (content !== "") hidden.push({ start: at + 1, end: close });
    } else hidden.push(...hiddenInString(text, at + 1, close));
    key = isKey ? content : null;
    at = close + 1;
  }
  return hidden;
}

/** {@link redactedSpans} and what was blanked out, in order and apart. */
export function hiddenSpans(text: string, isShown?: (value: string) => boolean): readonly RedactedSpan[] {
  const [hidden, blanked] = [redactedSpans(text, isShown), blankedSpans(text)];
  return blanked.length === 0 ? hidden : mergedSpans([...hidden, ...blanked]);
}

/** The end of the comment that begins at `at`; -1 where none does. */
function commentEnd(text: string, at: number): number {
  if (text.startsWith("/*", at)) {
    const close = text.indexOf("*/", at + 2);
    return close === -1 ? text.length : close + 2;
  }
  if (!text.startsWith("//", at)) return -1;
  const length = text.slice(at).search(/[\r\n]/);
  return length === -1 ? text.length : at + length;
}

/**
 * The end of what a finding is about that points at `start`: of the value, where that is a key, else of what stands there.
 * What a comment says ends nothing, and a comment that is pointed at is all that a finding is about.
 * Looks no further than the value, or than `limit` characters.
 */
export function valueEnd(text: string, start: number, limit = 65_536): number {
  const piece = text.slice(start, start + limit);
  const endOfString = stringEnds(piece);
  const own = commentEnd(piece, 0);
  if (own !== -1) return start + own;
  let depth = 0;
  for (let at = 0; at < piece.length; at++) {
    const unit = piece[at] as string;
    if (unit === '"' || unit === "'") at = Math.max(at, endOfString(at));
    else if (unit === "/") at = Math.max(at, commentEnd(piece, at) - 1);
    else if (unit === "{" || unit === "[") depth++;
    else if (unit === "}" || unit === "]") depth--;
    if (depth < 0 || (depth === 0 && unit === ",")) return start + at;
  }
  return start + piece.length;
}

/** A line of an env file that may be shown up to its `=`: only a name of one case, so that no piece of a value passes for one. */
const ENV_NAME = /^\uFEFF?[ \t]*(?:export[ \t]+)?([A-Z][A-Z0-9_.-]*|[a-z][a-z0-9_.-]*)[ \t]*=/;

/** What a code frame of an env file must not show: everything but the name of an assignment. */
export function redactedSpansOfEnvLine(line: string): RedactedSpan[] {
  const name = ENV_NAME.exec(line);
  const start = name !== null && !looksRandom(name[1] as string) ? name[0].length : 0;
  return start < line.length ? [{ start, end: line.length }] : [];
}
