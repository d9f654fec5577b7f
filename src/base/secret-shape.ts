import { memoizeByText } from "./memo.ts";
import { looksRandom } from "./random-text.ts";
import type { RedactedSpan } from "./redacted-span.ts";
import { MAY_BE_PUBLIC, OTHER_FORMS, TOKEN_FORMS } from "./secret-forms.ts";
import { isSecretName } from "./secret-name.ts";
import { findStandIn } from "./stand-in.ts";

/** A secret that a text holds: what it is, as words that complete "holds …", and where it stands. */
export interface FoundSecret extends RedactedSpan {
  readonly what: string;
}

/** No form is shorter than `a://:b@c`, and none is looked for beyond this many characters. */
const SHORTEST = 8;
const LONGEST = 20_000;

/** What documentation and templates put into a token: `ghp_xxxxxx…`, `AKIA…EXAMPLE`. */
const DUMMY = /example|placeholder|redacted|x{6}|your[-_]|insert|replace/i;

function isDummy(token: string): boolean {
  return DUMMY.test(token) || new Set(token.slice(-16)).size <= 3;
}

interface Beginning {
  readonly what: string;
  readonly text: string;
  readonly rest: string;
  /** What must follow; compiled when the beginning is first met. */
  pattern?: RegExp;
}

let beginnings: ReadonlyMap<string, readonly Beginning[]> | undefined;

/** The forms by the first two characters of their beginnings: nearly every place of a text is done with by one look. */
function beginningsByPair(): ReadonlyMap<string, readonly Beginning[]> {
  if (beginnings !== undefined) return beginnings;
  const found = new Map<string, Beginning[]>();
  for (const [what, begin, rest] of TOKEN_FORMS)
    for (const text of begin.split("|")) {
      const pair = text.slice(0, 2);
      const known = found.get(pair);
      if (known === undefined) found.set(pair, [{ what, text, rest }]);
      else known.push({ what, text, rest });
    }
  return (beginnings = found);
}

/** True for the code of a letter or digit of ASCII. */
function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function* tokensIn(text: string): Iterable<FoundSecret> {
  // No token has fewer characters in one piece.
  if (!/[\w%-]{12}/.test(text)) return;
  const forms = beginningsByPair();
  for (let at = 0; at + SHORTEST < text.length; at++) {
    if (at > 0 && isAlphanumeric(text.charCodeAt(at - 1))) continue;
    for (const form of forms.get(text.slice(at, at + 2)) ?? []) {
      if (!text.startsWith(form.text, at)) continue;
      const pattern = (form.pattern ??= new RegExp(form.rest, "y"));
      pattern.lastIndex = at + form.text.length;
      if (!pattern.test(text)) continue;
      const end = pattern.lastIndex;
      if (isDummy(text.slice(at, end))) continue;
      yield { what: form.what, start: at, end };
      at = end - 1;
      break;
    }
  }
}

/** A piece of every form of {@link OTHER_FORMS}: most texts have none. */
const HINT =
  /-----BEGIN|PuTTY|LS0tLS1|"kty"|eyJ|:AA|[\w-]{6}\.[\w-]{27}|\dQ~|JQQJ9|key\s{0,2}=|signature\s{0,2}=|atlasv1|-us\d|_mmk|webhook|hooks\./i;

function* othersIn(text: string): Iterable<FoundSecret> {
  if (!HINT.test(text)) return;
  for (const [what, pattern] of OTHER_FORMS) {
    for (let from = 0; from < text.length;) {
      const match = pattern.exec(text.slice(from));
      if (match === null) break;
      const start = from + match.index;
      from = start + match[0].length;
      if (!isDummy(match[0])) yield { what, start, end: from };
    }
  }
}

/** True for what stands in the place of a password and is none: a reference, a mask, a word that names it. */
function isNoPassword(text: string): boolean {
  return (
    /^(?:password|passwd|pass|pwd|user|postgres|secret|token|null|none|true|false|required|optional)$/i.test(text) ||
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(text) ||
    ["reference", "ciphertext", "template", "mask"].includes(findStandIn(text)?.kind ?? "") ||
    DUMMY.test(text)
  );
}

/** User and password in a URL of any scheme, also where the password should have been percent-encoded. */
function* loginsIn(text: string): Iterable<FoundSecret> {
  let end = 0;
  for (const piece of text.split(/(?<=[@\s])/)) {
    end += piece.length;
    const scheme = piece.lastIndexOf("://");
    if (scheme === -1 || !piece.endsWith("@") || end === text.length) continue;
    const login = piece.slice(scheme + 3, -1);
    const colon = login.indexOf(":");
    const password = login.slice(colon + 1);
    // `http://cache:8080/@scope` has a port there.
    if (colon === -1 || /[/?#[]/.test(login.slice(0, colon)) || /^\d{1,5}(?:[/?#,]|$)/.test(password)) continue;
    if (password === "" || isNoPassword(password)) continue;
    yield { what: "a URL with a password", start: end - 1 - password.length, end: end - 1 };
  }
}

/** `user/password@` in the addresses of Oracle's driver. */
const ORACLE_LOGIN = /(?<=jdbc:oracle:[a-z]{1,8}:[^\s/@]{1,64}\/)[^\s@/]{1,128}(?=@)/;

/** A name with a value behind it, as in query strings, connection strings, lists of headers, options and JSON. */
const NAME = /(?<![\w.-])-{0,2}([A-Za-z][\w.-]{0,60})(["']\s{0,4}:\s{0,4}["']?|\s{0,4}=\s{0,4}["']?|:\s?)/g;
const VALUE = /((?:bearer|basic|token|apikey|bot|key)(?:\s|%20|\+){1,3})?((?:\$\{[^}]{0,80}\}|[^\s"',;&}])+)/iy;
const SECRET_WORD = /pass|pwd|secret|token|key|auth|sig|cred|code/i;

/** Names in URLs whose values open what the URL leads to. */
const SIGNATURE = /^(?:sig|signature|x-amz-signature|x-goog-signature|code)$/i;

function* assignmentsIn(text: string): Iterable<FoundSecret> {
  if (!SECRET_WORD.test(text)) return;
  const isUrl = text.includes("://");
  for (const match of text.matchAll(NAME)) {
    const [whole, name = "", sign = ""] = match;
    const isPassword = /(?:pass|password|passwd|pwd|passphrase)$/i.test(name);
    const isKey = isSecretName(name) || /authorization$/i.test(name) || (isUrl && SIGNATURE.test(name));
    if (!isPassword && !isKey) continue;
    VALUE.lastIndex = match.index + whole.length;
    const [, scheme = "", value = ""] = VALUE.exec(text) ?? [];
    // `password: visit …` may be a sentence, and a word is no key.
    const isLoose = sign.startsWith(":") || !isPassword;
    // A query is made for a program: what has digits there is no word of a sentence.
    const isInQuery = isUrl && /[?&]/.test(text[match.index - 1] ?? "") && /\p{L}/u.test(value) && /\d/.test(value);
    if (value.length < (isInQuery ? 8 : isLoose && scheme === "" ? 12 : 4)) continue;
    if ((isLoose && !isInQuery && !looksRandom(value)) || isNoPassword(value)) continue;
    const what = isPassword ? "a password" : "a key or token";
    const inUrl = isPassword ? "a URL with a password" : "a URL with a key in its query";
    yield { what: isUrl ? inUrl : what, start: VALUE.lastIndex - value.length, end: VALUE.lastIndex };
  }
}

/** A login before a host with a path or port, as it stands in the address of an image; the scheme is left out. */
const BARE_LOGIN =
  /(?<![\w.:/@-])[\w.-]{1,64}:(?!\d{1,5}@)([^\s:/@]{1,128})@(?=[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}(?::\d{1,5})?\/)/gi;

function* bareLoginsIn(text: string): Iterable<FoundSecret> {
  for (const match of text.includes("@") ? text.matchAll(BARE_LOGIN) : []) {
    const password = match[1] as string;
    const end = match.index + match[0].length - 1;
    if (!isNoPassword(password)) yield { what: "a login with a password", start: end - password.length, end };
  }
}

/** The value of a header that signs in, alone. */
const HEADER = /^\s*(?:bearer|basic)\s+(?=[\w.~+/=-]*[0-9=])[\w.~+/=-]{16,}\s*$/i;

function* headersIn(text: string): Iterable<FoundSecret> {
  if (HEADER.test(text)) yield { what: "an Authorization header", start: 0, end: text.length };
  const oracle = ORACLE_LOGIN.exec(text);
  if (oracle !== null && !isNoPassword(oracle[0]))
    yield { what: "a URL with a password", start: oracle.index, end: oracle.index + oracle[0].length };
}

/** A long run, an assignment, an address or several words: nothing else can hold a secret that is known by its form. */
const PERHAPS = /[\w%-]{14}|[=@:\s]/;
const NONE: readonly FoundSecret[] = [];

const secretsIn = memoizeByText(2048, (text): readonly FoundSecret[] =>
  [headersIn, tokensIn, othersIn, loginsIn, bareLoginsIn, assignmentsIn].flatMap((find) => [...find(text)]),
);

/**
 * Every secret that a text holds by its form, those of providers first; they may overlap. `isPublic`: the text stands under a name that says that
 * it is for browsers. Looks at the first 20,000 characters.
 */
export function findSecrets(text: string, isPublic = false): readonly FoundSecret[] {
  if (text.length < SHORTEST || !PERHAPS.test(text)) return NONE;
  const found = secretsIn(text.slice(0, LONGEST));
  return isPublic ? found.filter(({ what }) => !MAY_BE_PUBLIC.has(what)) : found;
}

/** As {@link findSecrets}, only what has the form of a provider's own or of a private key: for text of any kind, such as comments. */
export function findProviderSecrets(text: string): readonly FoundSecret[] {
  return [...tokensIn(text), ...othersIn(text)];
}

/** What kind of secret a value holds by its form alone, as words that complete "holds …"; null when its form says nothing. */
export function secretShape(value: string, isPublic = false): string | null {
  return findSecrets(value, isPublic)[0]?.what ?? null;
}
