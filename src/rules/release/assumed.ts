import type { Deployment } from "../../deployment/deployment.ts";

/** Ends a help that rests on the release, where nothing pins one: the reader may have another in mind. */
export function assumedRelease({ release }: Deployment): string {
  return release.source === "default"
    ? ` (qm ${release.resolved} is assumed: pin @yc-software/qm in package.json, or give --release)`
    : "";
}
