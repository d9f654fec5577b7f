import { memoizeByText } from "./memo.ts";
/**
 * Decides by its name whether an environment entry holds a secret (docs/contract/qm-config.md#names-that-hold-secrets). A name is read word by
 * word: what counts is what its last words say the value is, and the words before can say that it is none.
 */

/** Last words that say "this is a secret" whatever stands before. */
const SECRET_WORDS = words(
  "SECRET SECRETS PASSWORD PASSWORDS PASSWD PASSPHRASE PASSCODE CREDENTIAL CREDENTIALS CREDS PAT JWT APIKEY AUTHKEY SECRETKEY PRIVATEKEY ACCESSKEY APITOKEN AUTHTOKEN ACCESSTOKEN BEARER KEYTAB",
);

/** Chat services whose webhook addresses let anybody post. */
const CHATS = words("SLACK DISCORD TEAMS MATTERMOST");

/** Words before PEM that make it a certificate, which is public. */
const CERTIFICATES = words("CA CERT CERTIFICATE CHAIN BUNDLE");

/** Words before KEYS or TOKENS that make them secret ones. */
const SECRET_KEYS = words(
  "API SECRET PRIVATE ACCESS AUTH SIGNING SIGN ENCRYPTION ENCRYPT DECRYPTION MASTER ROOT SERVICE ACCOUNT STORAGE DEPLOY LICENSE LICENCE ADMIN SESSION HMAC JWT COOKIE SHARED WRITE WEBHOOK SSH RSA TLS SSL GPG PGP SMTP APP",
);

/** Words before KEY that make it a name of something: a column, a path, a slot. */
const PLAIN_KEYS = words(
  "SORT CACHE PRIMARY FOREIGN PARTITION HASH RANGE ROUTING OBJECT IDEMPOTENCY DEDUPE DEDUP GROUP INDEX MAP LOOKUP CONFIG PREFIX SUFFIX HOT SHORTCUT ANSWER TRANSLATION MESSAGE LABEL TAG FIELD HEADER ROW COLUMN UNIQUE LOCK QUEUE SHARD STATE EVENT METRIC FEATURE FLAG S3 BUCKET REDIS STORE SNAPSHOT ARTIFACT CONTEXT THREAD ORDER ORDERING TRACKING BLOB SEARCH GROUPING AGGREGATION DATASTORE DISPLAY ARROW ENTER ESCAPE MODIFIER RECORD LEADER",
);

/** Words anywhere that say that the value is meant to be known: `STRIPE_PUBLISHABLE_KEY`, `VITE_PUBLIC_KEY`. */
const PUBLIC_WORDS = words("PUBLIC PUBLISHABLE PUB ANON SITE MAPS BROWSER FRONTEND");

/** Words before TOKEN that make it a count, a kind or a name of a form field. */
const PLAIN_TOKENS = words(
  "MAX MIN NUM NUMBER COUNT INPUT OUTPUT TOTAL CONTEXT COMPLETION PROMPT THINKING REASONING BUDGET CSRF XSRF STOP PAD EOS BOS UNK END START NEXT PAGE CONTINUATION SYNC PAGINATION LIMIT",
);

/** First words that make the entry a switch. */
const SWITCHES = words(
  "NO DISABLE DISABLED ENABLE ENABLED ALLOW SKIP USE REQUIRE REQUIRES REQUIRED IS HAS SHOW HIDE FORCE WITH WITHOUT",
);

/** Endings of more than one word. */
const SECRET_ENDINGS = ["ACCESS_KEY_ID", "SECRET_KEY_BASE"];

/** Whole names that well-known programs read a password from. */
const WHOLE_NAMES = words("PGPASSWORD PGPASS PASS PWD_SECRET REDISCLI_AUTH");

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

/** What is looked at of a name: its end decides, and no real one is longer. */
const LONGEST = 200;

/** The words of a name in upper case: `openaiApiKey`, `OPENAI_APIKEY` and `openai-api-key` are read alike. */
function nameWords(name: string): string[] {
  return name
    .slice(-LONGEST)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.toUpperCase());
}

/** True when a name says that its key is for everybody to see, in a browser for instance. */
export const isPublicName = memoizeByText(512, (name): boolean => {
  return nameWords(name).some((word) => PUBLIC_WORDS.has(word));
});

/** True when a name says that its value is secret. */
export const isSecretName = memoizeByText(512, (name): boolean => {
  const all = nameWords(name);
  const joined = all.join("_");
  if (WHOLE_NAMES.has(joined) || SECRET_ENDINGS.some((ending) => joined.endsWith(ending))) return true;
  if (SWITCHES.has(all[0] ?? "") && all.length > 1) return false;
  const last = lastWord(all);
  return isSecretEnding(last.word, all.slice(0, last.at), isPublicName(name));
});

function isSecretEnding(last: string, before: readonly string[], isPublic: boolean): boolean {
  const previous = before.at(-1) ?? "";
  if (SECRET_WORDS.has(last)) return true;
  if (last === "PASS" || last === "PWD") return before.length > 0;
  if (last === "WEBHOOK") return before.some((word) => CHATS.has(word));
  if (isPublic) return false;
  if (last === "KEY") return before.length > 0 && !PLAIN_KEYS.has(previous);
  if (last === "TOKEN") return !before.some((word) => PLAIN_TOKENS.has(word));
  if (last === "KEYS" || last === "TOKENS") return SECRET_KEYS.has(previous);
  if (last === "PEM") return !before.some((word) => CERTIFICATES.has(word));
  return last === "JWK";
}

/** `API_KEY_2` and `API_KEY2` are an `API_KEY`. */
function lastWord(all: readonly string[]): { word: string; at: number } {
  const at = all.length - 1;
  const last = all[at] ?? "";
  if (/^\d+$/.test(last) && at > 0) return { word: all[at - 1] ?? "", at: at - 1 };
  return { word: last.replace(/\d+$/, ""), at };
}
