/** What a value looks like, for a message that must not show it: completes "holds …". */
interface Shape {
  readonly what: string;
  readonly pattern: RegExp;
  /** True for keys that are also issued for browsers, where everybody sees them. */
  readonly mayBePublic?: true;
}

/** Forms that providers give their secrets, with enough of the rest that a word or a placeholder is not one. */
const SHAPES: readonly Shape[] = [
  { what: "a private key", pattern: /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/ },
  { what: "a private JSON Web Key", pattern: /^\s*\{(?=[^]*"kty"\s*:)[^]*"d"\s*:\s*"[\w-]{20,}"/ },
  { what: "a boxd API key", pattern: /(?<![\w-])bx[dk]_[A-Za-z0-9]{24,}/ },
  { what: "an Anthropic API key", pattern: /(?<![\w-])sk-ant-[a-z0-9]+-[\w-]{20,}/ },
  { what: "an OpenRouter API key", pattern: /(?<![\w-])sk-or-v1-[0-9a-f]{32,}/ },
  {
    what: "an OpenAI API key",
    pattern: /(?<![\w-])sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]*[0-9][A-Za-z0-9_-]{19,}/,
  },
  { what: "a GitHub token", pattern: /(?<![\w-])(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})/ },
  { what: "a GitLab token", pattern: /(?<![\w-])gl(?:pat|dt|rt|ptt|cbt)-[\w-]{20,}/ },
  { what: "a Slack token", pattern: /(?<![\w-])(?:xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[0-9]-[A-Za-z0-9-]{10,})/ },
  {
    what: "a Slack webhook",
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Z0-9]+\/[A-Za-z0-9]+\/[A-Za-z0-9]{8,}/,
  },
  { what: "a Discord webhook", pattern: /discord(?:app)?\.com\/api\/webhooks\/[0-9]{10,}\/[\w-]{30,}/ },
  { what: "an AWS access key", pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])/ },
  { what: "a Google API key", pattern: /(?<![\w-])AIza[\w-]{35}(?!\w)/, mayBePublic: true },
  { what: "a Stripe key", pattern: /(?<![\w-])(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}/ },
  { what: "a Fly token", pattern: /(?<![\w-])(?:FlyV1 fm\d|fo1_[\w-]{20,}|fm[12][ar]?_[A-Za-z0-9+/=]{20,})/ },
  { what: "a Resend API key", pattern: /(?<![\w-])re_[A-Za-z0-9]{8,}_[A-Za-z0-9]{16,}/ },
  { what: "a SendGrid API key", pattern: /(?<![\w-])SG\.[\w-]{16,}\.[\w-]{32,}/ },
  { what: "an npm token", pattern: /(?<![\w-])npm_[A-Za-z0-9]{36}/ },
  { what: "a Linear API key", pattern: /(?<![\w-])lin_(?:api|oauth)_[A-Za-z0-9]{32,}/ },
  { what: "a Hugging Face token", pattern: /(?<![\w-])hf_[A-Za-z0-9]{30,}/ },
  { what: "an Authorization header", pattern: /^\s*(?:bearer|basic)\s+(?=[\w.~+/=-]*[0-9=])[\w.~+/=-]{16,}\s*$/i },
  { what: "a JSON Web Token", pattern: /(?<![\w.-])eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{16,}/ },
];

/** No form is shorter than `a://:b@c`. */
const SHORTEST = 8;

/** User and password in a URL of any scheme; a lone user name is no secret, and a reference is no password. */
const URL_PASSWORD = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\s/?#:@]*:([^\s/?#@]+)@[^\s]/;
const NO_PASSWORD = /^(?:\$\{?\w+\}?|<[^>]+>|\*+|x+|password|pass|user|postgres)$/i;

/** Query parameters of a URL that carry a key. */
const URL_KEY =
  /^https?:\/\/[^\s#]*[?&](?:api[-_]?key|access[-_]?token|token|sig|signature|password|secret)=[\w%.~+/-]{16,}/i;

/** Keys that their providers publish: PostHog projects, Stripe pages, public halves and certificates. */
const PUBLIC_VALUE = /^(?:phc_\w+|pk_(?:live|test)_\w+|-----BEGIN (?:PUBLIC KEY|CERTIFICATE)-----[^]*)$/;

/**
 * What kind of secret a value is by its form alone, as words that complete "holds …"; null when its form says nothing.
 * `isPublic`: its name says that it is for browsers. Looks at the first 20,000 characters.
 */
export function secretShape(value: string, isPublic = false): string | null {
  if (value.length < SHORTEST) return null;
  const text = value.slice(0, 20_000);
  const shape = SHAPES.find(({ pattern, mayBePublic }) => !(isPublic && mayBePublic === true) && pattern.test(text));
  if (shape !== undefined) return shape.what;
  const password = URL_PASSWORD.exec(text.trim())?.[1];
  if (password !== undefined && !NO_PASSWORD.test(password)) return "a URL with a password";
  return URL_KEY.test(text.trim()) ? "a URL with a key in its query" : null;
}

/**
 * True when a value cannot be a secret whatever its name is: blank, a switch, a key that its provider publishes, or a
 * path or URL that only says where a secret is. A path must look like one to its end, as base64 may begin with `/` or `.`.
 */
export function isPlainValue(value: string): boolean {
  const text = value.trim();
  if (/^(?:|[01]|true|false|yes|no|on|off|none|null|enabled|disabled|required|optional|auto|default)$/i.test(text))
    return true;
  if (secretShape(text) !== null) return false;
  return PUBLIC_VALUE.test(text) || isPath(text) || isPlainUrl(text);
}

/** A URL without query whose path holds no long random part. */
function isPlainUrl(text: string): boolean {
  const match = /^https?:\/\/[^\s/?#@]+((?:\/[^\s/?#]*)*)$/i.exec(text);
  return match !== null && (match[1] as string).split("/").every((part) => part.length <= 40 && !isMixed(part));
}

/** An absolute, home or relative path of words, not the base64 of random bytes. */
function isPath(text: string): boolean {
  if (!/^(?:~|\.{1,2})?\/[\w.@-]+(?:\/[\w.@ -]+)*\/?$/.test(text) && !/^\.[a-z][\w-]*(?:\/[\w.@-]+)*$/.test(text))
    return false;
  const parts = text.split("/").filter((part) => !/^(?:|~|\.{1,2})$/.test(part));
  return parts.every((part) => part.length <= 40 && !isMixed(part));
}

/** Upper case, lower case and digits in turns: how random base64 looks and file names do not. */
function isMixed(part: string): boolean {
  const turns = part.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[0-9])|[0-9](?=[A-Za-z])/g)?.length ?? 0;
  return part.length >= 12 && turns >= 3;
}
