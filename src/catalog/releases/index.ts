import { ALL_RELEASES } from "./all.generated.ts";
import type { Release } from "./release.ts";

/** The known releases, oldest first. */
export const RELEASES: readonly Release[] = ALL_RELEASES;

/** Their versions, oldest first. */
export const RELEASE_VERSIONS: readonly string[] = RELEASES.map(({ version }) => version);

/** The newest known release: assumed where nothing pins one, and scaffolded by `init`. */
export const NEWEST = RELEASES[RELEASES.length - 1] as Release;

/** The known release of exactly this version. */
export function findRelease(version: string): Release | undefined {
  return RELEASES.find((release) => release.version === version);
}

/** Negative where `a` is older than `b`. */
export function compareReleases(a: Release, b: Release): number {
  return RELEASES.indexOf(a) - RELEASES.indexOf(b);
}
