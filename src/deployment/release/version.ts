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
  const numberA = /^\d+$/.test(a);
  const numberB = /^\d+$/.test(b);
  if (numberA && numberB) return Number(a) - Number(b);
  if (numberA !== numberB) return numberA ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
