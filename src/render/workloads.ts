import { digestOf } from "../catalog/grammar/image-reference.ts";
import { SERVICE_PORT, START_ORDER } from "../catalog/services.ts";
import { nameOf, type SettingKey } from "../catalog/settings/index.ts";
import type { RunnableServiceName } from "../config/written-config.ts";
import type { Deployment, Workload } from "../deployment/deployment.ts";
import type { EnvironmentEntry } from "../deployment/provenance.ts";

/** When a workload starts: services in qm's order, plugins after them. */
export function startRank(workload: Workload): number {
  return workload.kind === "plugin" ? Number.MAX_SAFE_INTEGER : START_ORDER[workload.name as RunnableServiceName];
}

/** Workloads in the order in which they start; plugins in that of the config. */
export function inStartOrder(workloads: readonly Workload[]): readonly Workload[] {
  return workloads.toSorted((a, b) => startRank(a) - startRank(b));
}

/** The digest that a workload's image is pinned by, as `sha256:<hex>`; null without an image or without a pin. */
export function imageDigest(workload: Workload): string | null {
  return digestOf(workload.image?.reference ?? "");
}

/** An entry of core's environment; undefined where core has none of this name. */
export function coreEntry({ workloads }: Deployment, name: string): EnvironmentEntry | undefined {
  return workloads.find((workload) => workload.name === "core")?.environment.find((entry) => entry.name === name);
}

/** What core's environment has for a setting, under the name that the release gives it. */
export function coreSetting(deployment: Deployment, key: SettingKey): EnvironmentEntry | undefined {
  return coreEntry(deployment, nameOf(deployment.release.release, key));
}

/** Asks a first-party service for its health from inside the container, which has Node but may have no curl. */
export const HEALTH_COMMAND = [
  "CMD",
  "node",
  "-e",
  `fetch('http://127.0.0.1:${SERVICE_PORT}/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))`,
];
