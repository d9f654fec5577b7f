import { memoizeByObject } from "../base/memo.ts";
import { BACKENDS } from "./backends/index.ts";
import { runnableUnder } from "./backends/release-support.ts";
import type { Release } from "./releases/release.ts";
import type { SecretRow } from "./secret-row.ts";

/** All rows of a release's secrets catalogue: its own, and those of the backends that can run under it. */
export const secretRows = memoizeByObject((release: Release): readonly SecretRow[] => [
  ...release.secrets,
  ...BACKENDS.filter((backend) => runnableUnder(backend, release)).flatMap((backend) => backend.secrets),
]);
