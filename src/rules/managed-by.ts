import { managedEnv, type ManagedEnv } from "../catalog/services.ts";
import type { Release } from "../catalog/releases/release.ts";
import { memoizeByObject } from "../base/memo.ts";
import type { ServiceName } from "../config/written-config.ts";
import type { Deployment } from "../deployment/deployment.ts";

/** The names that somebody decides, by name: nearly all are nobody's. */
const managedNames = memoizeByObject((release: Release): ReadonlyMap<string, readonly ManagedEnv[]> => {
  const all = new Map<string, ManagedEnv[]>();
  for (const managed of managedEnv(release)) {
    for (const name of managed.names) all.set(name, [...(all.get(name) ?? []), managed]);
  }
  return all;
});

/** Who decides an environment name that this block may not hold for the service; null where it is free. */
export function managedBy(
  { target, services, release }: Deployment,
  block: "env" | "secretEnv",
  service: ServiceName,
  name: string,
): string | null {
  const managed = managedNames(release.release)
    .get(name)
    ?.find(
      (each) =>
        each.blocks.includes(block) &&
        (each.services === undefined || each.services.includes(service)) &&
        (each.target === undefined || each.target === target) &&
        (each.whileEnabled === undefined || services.includes(each.whileEnabled)),
    );
  return managed?.by ?? null;
}
