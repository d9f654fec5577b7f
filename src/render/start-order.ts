import { START_ORDER } from "../catalog/services.ts";
import type { RunnableServiceName } from "../config/written-config.ts";
import type { Workload } from "../deployment/deployment.ts";

/** When a workload starts: services in qm's order, plugins after them. */
export function startRank(workload: Workload): number {
  return workload.kind === "plugin" ? Number.MAX_SAFE_INTEGER : START_ORDER[workload.name as RunnableServiceName];
}

/** Workloads in the order in which they start; plugins in that of the config. */
export function inStartOrder(workloads: readonly Workload[]): readonly Workload[] {
  return workloads.toSorted((a, b) => startRank(a) - startRank(b));
}
