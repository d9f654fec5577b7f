import { BACKENDS } from "./backends/index.ts";
import { runnableUnder } from "./backends/policy.ts";
import type { Release } from "./releases/release.ts";
import type { SecretRow } from "./secret-row.ts";

/** What was put together before: every deployment of a run asks for the rows of its release. */
const KNOWN = new WeakMap<Release, readonly SecretRow[]>();

/** All rows of a release's secrets catalogue: its own, and those of the backends that can run under it. */
export function secretRows(release: Release): readonly SecretRow[] {
  let rows = KNOWN.get(release);
  if (rows === undefined) {
    rows = [...release.secrets, ...BACKENDS.filter((backend) => runnableUnder(backend, release)).flatMap((backend) => backend.secrets)];
    KNOWN.set(release, rows);
  }
  return rows;
}
