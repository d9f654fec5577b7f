import type { Quirks } from "../boxd-fake/index.ts";

/** What boxd is like according to its newest client (docs/contract/boxd.md), where that says something and the strict fake is harsher. */
export const NEWEST: Partial<Quirks> = {
  namesResolve: true,
  deadlineKills: true,
  fileCap: Infinity,
};
