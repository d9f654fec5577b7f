import { findStandIn } from "../base/stand-in.ts";

/** Words that stand for a value still to come, also as a part of a longer name. */
const WORD =
  /(?<![A-Za-z0-9])(?:replace[-_ ]?(?:me|this)|replace[-_ ]with(?:[-_ ][A-Za-z0-9]+){1,6}|change[-_ ]?(?:me|this)|fill[-_ ]?me(?:[-_ ]in)?|fixme|placeholder|x{3,})[0-9]{0,4}(?![A-Za-z0-9])/i;

/** Those that only begin a name or a part of a URL: `your-app.fly.dev`, but not `rate-your-app`. */
const LEADING_WORD =
  /(?<![A-Za-z0-9_-])(?:(?:insert|enter|put|paste|add)[-_ ](?:[A-Za-z0-9]+[-_ ]){0,5}here|your[-_ ](?:[A-Za-z0-9]+[-_ ]){0,3}(?:here|key|token|secret|password|org|organi[sz]ation|company|domain|name|app|host|hostname|url|email|id|account|team|bucket|project|region|slug|prefix|site|server)|your(?:api|secret|access)?(?:key|token|secret|password))(?![A-Za-z0-9])/i;

/** Words that are placeholders only when nothing else is there: `todo-list` is a name. */
const WHOLE =
  /^(?:to[-_ ]?do|tbd|tba|fill[-_ ]?in|your(?:[-_][a-z0-9]+){1,4}|my[-_](?:api[-_]?key|token|secret|password|domain)|\.{3}|\u2026|\?{2,})$/i;

const ANGLE = /<[A-Za-z][A-Za-z0-9 _.-]{0,60}>/;
const SHELL = /\$\{[A-Za-z_]\w{0,60}(?::?[-?][^{}$]{0,60})?\}/;
const MUSTACHE = /\{\{ ?[A-Za-z_][\w. -]{0,60}\}\}/;
const WINDOWS = /^%[A-Za-z_]\w{0,60}%$/;
/** A key cut short, as documentation shows it: `sk-ant-...`. */
const CUT = /^(?:[\w-]*[-_]|AKIA|ASIA|eyJ)(?:\.{3}|\u2026|x{3,})$/;
const ZERO_ACCOUNT = /(?<![0-9])0{12}(?![0-9])/;
const ZERO_ID = /^[A-Z]?0{8,}$|sha256:0{64}$/;

/** A piece of each of these forms: values without one, as most are, need no closer look. */
const HINT = /[<{%?\u2026]|\.{3}|x{3}|0{8}|to[-_ ]?do|tb[da]|fill|your|my[-_]|replace|change|fixme|placeholder|here/i;

/** How much a placeholder gives away: only a `word` may be shown, the others can hold anything. */
export interface Placeholder {
  readonly text: string;
  readonly kind: "word" | "brackets" | "reference" | "zeros" | "cut";
}

function found(kind: Placeholder["kind"], match: RegExpExecArray | null): Placeholder | null {
  return match === null ? null : { text: match[0], kind };
}

/**
 * The placeholder that a name, URL or other value is or contains; null when there is none. Sentences are never taken for
 * one: a value with spaces counts only as a whole.
 */
export function findPlaceholder(value: string): Placeholder | null {
  const text = value.trim();
  if (text.length > 2000 || !HINT.test(text)) return null;
  const whole = found("word", WHOLE.exec(text)) ?? found("zeros", ZERO_ID.exec(text)) ?? found("cut", CUT.exec(text));
  if (whole !== null) return whole;
  const part =
    found("zeros", ZERO_ACCOUNT.exec(text)) ??
    found("brackets", ANGLE.exec(text)) ??
    found("reference", SHELL.exec(text) ?? MUSTACHE.exec(text) ?? WINDOWS.exec(text)) ??
    found("word", WORD.exec(text)) ??
    found("word", LEADING_WORD.exec(text));
  if (part === null || part.kind === "zeros") return part;
  return /\s/.test(text.replace(part.text, "")) ? null : part;
}

/**
 * As {@link findPlaceholder} for a value that is meant to be secret, where also `-`, `none`, `secret`, a run of one character, a word or a
 * placeholder written over and over, and whatever only stands in for a secret ({@link findStandIn}) can be no secret.
 */
export function findSecretPlaceholder(value: string): Placeholder | null {
  const text = value.trim();
  if (
    /^(?:-|none|null|nil|undefined|n\/?a|secret|password|passwd|example|test|fake|sample|dummy|empty|unset|-{2,}|_{2,}|key|token|your(?:[-_ ].*)?)$/i.test(
      text,
    )
  )
    return { text, kind: "cut" };
  if (/^(.)\1{3,}$/s.test(text)) return { text, kind: "zeros" };
  const found = findPlaceholder(text);
  if (found !== null) return found;
  if (findStandIn(text) !== null) return { text, kind: "reference" };
  const once = repeatedUnit(text);
  if (once === null) return null;
  return /^[a-z]+$/i.test(once) ? { text, kind: "cut" } : findPlaceholder(once);
}

/** What a text is that says one thing over and over, as some write to reach a minimum length. */
function repeatedUnit(text: string): string | null {
  for (let length = 4; length <= 40 && length * 2 <= text.length; length++) {
    const unit = text.slice(0, length);
    if (text.split(unit).every((between) => /^[-_ ]?$/.test(between))) return unit;
  }
  return null;
}

const RESERVED = /(?:^|\.)example\.(?:com|net|org|edu)$|(?:^|\.)(?:example|test|invalid)$/;
/** Of a bare word only these are surely a domain: `vitest.test` may be a file. */
const SURELY_RESERVED = /^(?:[a-z0-9-]+\.)*example\.(?:com|net|org|edu)$/;
const HOST = String.raw`[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?`;
const URL_HOST = new RegExp(String.raw`^[A-Za-z][A-Za-z0-9+.-]{0,20}:\/\/(?:[^\s/?#@]*@)?(${HOST})(?:[:/?#]|$)`);
const MAIL_HOST = new RegExp(`^[^\\s@/]*@(${HOST})$`);
/** `registry.example.com/name`, `example.com:8080`. */
const PLACE_HOST = new RegExp(`^(${HOST})(?::[0-9]{1,5})?(?:/|$)`);

/**
 * The reserved example domain (RFC 2606) that a value names as the host of a URL, image or e-mail address, or that it is
 * itself; null when there is none. Lists are read item by item.
 */
export function findReservedDomain(value: string): string | null {
  if (value.length > 10_000 || !/example|test|invalid/i.test(value)) return null;
  for (const item of value.split(/[\s,;<>"'()]+/)) {
    const host = (URL_HOST.exec(item) ?? MAIL_HOST.exec(item))?.[1]?.toLowerCase();
    if (host !== undefined) {
      if (RESERVED.test(host)) return host;
      continue;
    }
    const place = PLACE_HOST.exec(item)?.[1]?.toLowerCase();
    if (place !== undefined && SURELY_RESERVED.test(place)) return place;
  }
  return null;
}
