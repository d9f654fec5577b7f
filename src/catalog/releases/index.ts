import { ALL_RELEASES } from "./all.generated.ts";
import type { Release } from "./release.ts";

/** The known releases, oldest first. */
export const RELEASES: readonly Release[] = ALL_RELEASES;

/** The release assumed where nothing pins one: the one that boxd was proposed for. */
export const DEFAULT_RELEASE = "0.1.6";

/** The newest known release, which `init` scaffolds by default. */
export const NEWEST = (RELEASES[RELEASES.length - 1] as Release).version;

/** The known release of exactly this version. */
export function findRelease(version: string): Release | undefined {
  return RELEASES.find((release) => release.version === version);
}
