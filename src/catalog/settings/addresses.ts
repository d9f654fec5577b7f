import { isDottedDomain } from "../grammar/dns.ts";
import { badEntries, isEmail } from "../grammar/email.ts";
import { isPrivateToPortal, readWebUrl } from "../grammar/host.ts";
import { consequenceOf, ends, type Otherwise, REFUSED, setting, unfit } from "./unfit.ts";
import type { Reading, ReadingContext, Setting, SettingFacts, SettingProblem } from "./setting.ts";

/** The base address of an API: http or https, without user name, query and fragment; spaces around it do not count. */
export function baseUrl(name: string, description: string, facts: SettingFacts & Otherwise = {}): Setting {
  const { otherwise, ...rest } = facts;
  const consequence = consequenceOf(otherwise);
  const help = "write the address alone, such as `https://models.example.com/v1`";
  const reading: Reading = {
    kind: "url",
    takes: () => "an http or https URL without user name, query and fragment",
    words: null,
    blank: null,
    otherwise: ends(consequence),
    judge(value) {
      const message = value.trim() === "" ? null : baseUrlProblem(value.trim());
      return message === null ? null : unfit(consequence, message, help);
    },
  };
  return setting(name, description, reading, rest);
}

/** As the services parse: `https:/host` is a URL too. */
function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function baseUrlProblem(text: string): string | null {
  const url = parsed(text);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") return "is no http or https URL";
  if (url.username !== "" || url.password !== "") return "holds a user name or password";
  if (url.search !== "") return "has a query (`?`)";
  return url.hash === "" ? null : "has a fragment (`#`)";
}

/** The rows of `env.portal` under which a broker on the private network may be reached without https. */
const BROKER = "AUTH_BROKER_UPSTREAM";

/**
 * An endpoint of the identity provider: it must begin with `https://` in lower case, in production (docs/contract/qm-boot.md#portal).
 * `reached` is "browser" where people's browsers are sent there, which no private broker can stand in for.
 */
export function endpoint(
  name: string,
  description: string,
  reached: "browser" | "portal",
  facts: SettingFacts & { always?: true } = {},
): Setting {
  const { always, ...rest } = facts;
  const judge = (value: string, context: ReadingContext): SettingProblem | null => {
    if (value.startsWith("https://") && readWebUrl(value) !== null) return null;
    const help =
      "write the whole https address, as the provider's `/.well-known/openid-configuration` names it, or remove it";
    const isRefusedByQm = always === true && readWebUrl(value.trim())?.protocol !== "https:";
    if (!context.production && !isRefusedByQm) return null;
    if (reached === "portal" && isPrivateBroker(value, context.other(BROKER))) return null;
    // The portal looks at the beginning alone.
    const consequence = value.startsWith("https://") ? { otherwise: "nobody can sign in" } : "refused";
    const problem = unfit(consequence, endpointFault(value), help);
    return isRefusedByQm ? { ...problem, severity: "error" } : problem;
  };
  const reading: Reading = {
    kind: "url",
    takes: () => "a URL that begins with `https://`",
    words: null,
    blank: REFUSED,
    otherwise: REFUSED,
    judge,
  };
  return setting(name, description, reading, rest);
}

function endpointFault(value: string): string {
  if (value.trim() === "") return "is blank, which is no address";
  if (value !== value.trim()) return "has spaces around it, which count";
  return /^https:/i.test(value) && readWebUrl(value) !== null
    ? "must begin with `https://` in lower case"
    : "is no https URL";
}

function isPrivateBroker(value: string, upstream: string | null): boolean {
  const broker = upstream === null ? null : readWebUrl(upstream);
  return broker !== null && isPrivateToPortal(broker.hostname) && readWebUrl(value)?.origin === broker.origin;
}

interface MailFacts extends SettingFacts {
  /** Spaces around it do not count. */
  readonly trim?: true;
}

/** One e-mail domain. qm's own command line checks it too, but for spaces around it. */
export function mailDomain(name: string, description: string, facts: MailFacts & { list: string }): Setting {
  const { trim, list, ...rest } = facts;
  const reading: Reading = {
    kind: "email",
    takes: () => "one domain, such as `acme.com`",
    words: null,
    blank: null,
    otherwise: REFUSED,
    judge(value, { production }) {
      const text = value.trim();
      // The portal compares with the empty text, so that blanks count as a domain.
      if (text === "" && (value === "" || trim === true || !production)) return null;
      if (text === "") return unfit("refused", "is nothing but blanks, which count", "name a domain, or remove it");
      if (!isDottedDomain(text)) {
        const bare = text.startsWith("@") ? text.slice(1) : "";
        return {
          severity: "error",
          message: "must be one domain, such as `acme.com`, without `@` and without commas",
          help: `name one domain, or list people in \`${list}\` instead`,
          ...(isDottedDomain(bare) ? { meant: bare } : {}),
        };
      }
      return value === text || trim === true || !production
        ? null
        : unfit("refused", "has spaces around it, which count", "write it without the spaces", text);
    },
  };
  return setting(name, description, reading, rest);
}

/** A comma list of e-mail addresses; spaces around each and empty entries do not count. qm checks it too where `always`. */
export function mailList(name: string, description: string, facts: SettingFacts & { always?: true } = {}): Setting {
  const { always, ...rest } = facts;
  const reading: Reading = {
    kind: "email",
    takes: () => "e-mail addresses with commas between them",
    words: null,
    blank: null,
    otherwise: REFUSED,
    judge(value) {
      const bad = badEntries(value, (entry) => entry === "" || isEmail(entry));
      if (bad.length === 0) return null;
      const message = `must be a comma list of e-mail addresses: entry ${bad.join(", ")} is none`;
      const found = unfit("refused", message, "write the addresses with commas between them");
      return always === true ? { ...found, severity: "error" } : found;
    },
  };
  return setting(name, description, reading, rest);
}
