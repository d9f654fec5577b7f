import type { Deployment, Workload } from "../deployment/deployment.ts";
import type { EnvironmentEntry } from "../deployment/provenance.ts";
import type { ConfigPath } from "../base/config-path.ts";
import type { Refusal } from "./artifact.ts";
import { refuse } from "./refusal.ts";

/** The config place that a value was written at or made from, which is the one to change. */
export function placeOf(entry: EnvironmentEntry | undefined, workload: Workload): ConfigPath {
  if (entry?.provenance.kind === "config") return entry.provenance.path;
  return (entry?.provenance.kind === "derived" ? entry.provenance.from[0] : undefined) ?? workload.path;
}

/** Refuses an artifact whose format would lose or change a value. `reason` names no value. */
export function refuseValue(deployment: Deployment, artifact: string, path: ConfigPath, reason: string): Refusal {
  return refuse(deployment, {
    artifact,
    rule: "render/value-not-carried",
    path,
    message: reason,
    help: "write the value without that, or encode it (base64, JSON) where its reader can decode it",
  });
}
