import { compareText } from "../../base/text-order.ts";

/** A semantic version. Build metadata is not kept: it orders nothing. */
export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** Pre-release identifiers; empty for a release. */
  readonly pre: readonly string[];
}

const VERSION =
  /^[v=]?(\d{1,15})\.(\d{1,15})\.(\d{1,15})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/;

/** Reads an exact version such as `0.1.12`, `v0.1.12` or `=0.1.12`; null for anything else. */
export function parseVersion(text: string): Version | null {
  const match = VERSION.exec(text.trim());
  if (match === null) return null;
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]), pre: match[4]?.split(".") ?? [] };
}

/** Negative when `a` is older than `b`, by the precedence of semver 2.0. */
export function compareVersions(a: Version, b: Version): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch || comparePre(a.pre, b.pre);
}

/** `0.1.12-rc.1`. */
export function formatVersion(version: Version): string {
  const core = `${version.major}.${version.minor}.${version.patch}`;
  return version.pre.length === 0 ? core : `${core}-${version.pre.join(".")}`;
}

function comparePre(a: readonly string[], b: readonly string[]): number {
  // A release is newer than each of its pre-releases.
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const order = compareIdentifier(a[at] as string, b[at] as string);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareIdentifier(a: string, b: string): number {
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return isNumberA ? Number(a) - Number(b) : compareText(a, b);
}

const ZERO: Version = { major: 0, minor: 0, patch: 0, pre: [] };
const PART = "(?:\\d{1,15}|[xX*])";
const PARTIAL = `[v=\\s]*(?:${PART}(?:\\.${PART}(?:\\.${PART}(?:-[0-9A-Za-z.-]+)?(?:\\+[0-9A-Za-z.-]+)?)?)?)?`;
const COMPARATOR = new RegExp(`^(<=|>=|<|>|=|\\^|~>?)?\\s*(${PARTIAL})$`);
const HYPHEN = new RegExp(`^\\s*(${PARTIAL})\\s+-\\s+(${PARTIAL})\\s*$`);

/**
 * The lowest version that a specifier of npm's range grammar lets in; null where it is no version range (a tag, a URL, a
 * path). Upper bounds are not looked at: a range that lets in nothing gives its lower bound. `exact` is false
 * for a range, of which npm may install a newer version.
 */
export function lowestVersion(specifier: string): { readonly version: Version; readonly exact: boolean } | null {
  const exact = parseVersion(specifier);
  if (exact !== null) return { version: exact, exact: true };
  if (specifier.length > 256) return null;
  const bounds = specifier.split("||").map((alternative) => lowerBound(alternative.trim()));
  const [lowest] = bounds.filter((bound) => bound !== null).sort(compareVersions);
  return lowest === undefined || bounds.includes(null) ? null : { version: lowest, exact: false };
}

/** The highest of the lower bounds that one alternative (`>=1.2 <2`, `1.2 - 1.4`) states. */
function lowerBound(alternative: string): Version | null {
  const hyphen = HYPHEN.exec(alternative);
  if (hyphen !== null) return comparatorBound("", hyphen[1] as string);
  // An operator may stand apart from its version: `>= 1.2`.
  const words = alternative.replace(/(<=|>=|<|>|=|\^|~>?)\s+/g, "$1").split(/\s+/);
  const bounds = words.map((word) => {
    const match = COMPARATOR.exec(word);
    return match === null ? null : comparatorBound(match[1] ?? "", match[2] as string);
  });
  if (bounds.includes(null)) return null;
  return (
    bounds
      .filter((bound) => bound !== null)
      .sort(compareVersions)
      .at(-1) ?? ZERO
  );
}

function comparatorBound(operator: string, partial: string): Version | null {
  if (operator === "<" || operator === "<=") return ZERO;
  const text = partial.replace(/^[v=\s]+/, "");
  const full = parseVersion(text);
  if (full !== null) return operator === ">" ? next(full) : full;
  const numbers = text.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : null));
  const [major = null, minor = null] = numbers;
  // `>1` starts at 2.0.0, `>1.2` at 1.3.0, and nothing is greater than every version.
  if (major === null) return operator === ">" ? null : ZERO;
  if (operator !== ">") return { ...ZERO, major, minor: minor ?? 0 };
  return minor === null ? { ...ZERO, major: major + 1 } : { ...ZERO, major, minor: minor + 1 };
}

/** The version right after this one. */
function next(version: Version): Version {
  return version.pre.length === 0
    ? { ...version, patch: version.patch + 1 }
    : { ...version, pre: [...version.pre, "0"] };
}
