import { BACKENDS } from "../catalog/backends/index.ts";

/** A prefix of machine names that is short enough for every backend that has one. */
const LONGEST_PREFIX = Math.min(63, ...BACKENDS.flatMap(({ machineNames }) => machineNames?.longestPrefix ?? []));

/** Characters of the random end that keeps two deployments of one org apart. */
const RANDOM_LENGTH = 3;

/** Names of things outside that are made from the org, each within the limits of who takes it. */
export interface ResourceNames {
  /** What the names of the agents' machines begin with. */
  readonly machines: string;
  /** An S3 bucket, which is unique in the whole world. */
  readonly bucket: string;
  readonly flyPrefix: string;
  readonly cluster: string;
  /** `AWS_DEPLOY_IMAGE`. */
  readonly appsImage: string;
}

function letterLed(org: string): string {
  return /^[a-z]/.test(org) ? org : `qm-${org}`;
}

/** `<stem><suffix>` in at most `most` characters, without doubled hyphens. */
function fitted(stem: string, suffix: string, most: number): string {
  return (
    stem
      .replace(/-{2,}/g, "-")
      .slice(0, most - suffix.length)
      .replace(/-$/, "") + suffix
  );
}

/** Makes the names of a new deployment; `random` gives so many random characters of a-z and 0-9. */
export function resourceNames(org: string, random: (length: number) => string): ResourceNames {
  const end = random(RANDOM_LENGTH);
  const head = letterLed(org)
    .replaceAll("-", "")
    .slice(0, LONGEST_PREFIX - RANDOM_LENGTH - 1);
  const stem = letterLed(org);
  return {
    machines: `${head}-${end}`,
    bucket: fitted(stem, `-qm-data-${end}`, 63),
    flyPrefix: fitted(stem, "", 40),
    cluster: fitted(stem, "-qm", 37),
    appsImage: fitted(stem, "-apps", 63),
  };
}
