import { BACKENDS } from "./backends/index.ts";
import { runnableUnder } from "./backends/policy.ts";
import type { Release } from "./releases/release.ts";
import type { SecretRow } from "./secret-row.ts";

/** All rows of a release's secrets catalogue: its own, and those of the backends that can run under it. */
export function secretRows(release: Release): readonly SecretRow[] {
  return [...release.secrets, ...BACKENDS.filter((backend) => runnableUnder(backend, release)).flatMap((backend) => backend.secrets)];
}
