import { MANAGED_ENV, type ManagedEnv } from "../catalog/services.ts";
import type { ServiceName } from "../config/written-config.ts";
import type { Deployment } from "../deployment/deployment.ts";

/** The names that somebody decides, by name: nearly all are nobody's. */
const MANAGED_NAMES: ReadonlyMap<string, readonly ManagedEnv[]> = byName();

function byName(): Map<string, ManagedEnv[]> {
  const all = new Map<string, ManagedEnv[]>();
  for (const managed of MANAGED_ENV) {
    for (const name of managed.names) all.set(name, [...(all.get(name) ?? []), managed]);
  }
  return all;
}

/** Who decides an environment name that this block may not hold for the service; null where it is free. */
export function managedBy(
  { target, services }: Deployment,
  block: "env" | "secretEnv",
  service: ServiceName,
  name: string,
): string | null {
  const managed = MANAGED_NAMES.get(name)?.find(
    (each) =>
      each.blocks.includes(block) &&
      (each.services === null || each.services.includes(service)) &&
      (each.target === null || each.target === target) &&
      (each.whileEnabled === null || services.includes(each.whileEnabled)),
  );
  return managed?.by ?? null;
}
