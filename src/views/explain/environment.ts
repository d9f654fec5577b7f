import { showPath } from "../../base/config-path.ts";
import type { Deployment, Workload } from "../../deployment/deployment.ts";
import type { EnvironmentEntry } from "../../deployment/provenance.ts";
import { valueMask, type ValueMask } from "../value-mask.ts";
import { provenanceView } from "../provenance.ts";
import { overridingFields } from "./override.ts";
import type { Reach } from "./affected-artifacts.ts";
import type { EnvironmentExplanation } from "./explanation.ts";

/** The secret that reaches a workload under this name; null where none does. */
function secretUnder({ secrets }: Deployment, workload: string, name: string): string | null {
  return (
    secrets.find(({ destinations }) => destinations.some((one) => one.workload === workload && one.env === name))
      ?.name ?? null
  );
}

function subjectOf(
  deployment: Deployment,
  workload: Workload,
  entry: EnvironmentEntry,
  mask: ValueMask,
  reach: Reach,
): EnvironmentExplanation {
  return {
    kind: "environment",
    name: entry.name,
    workload: workload.name,
    value: mask(entry.name, entry.value),
    origin: provenanceView(deployment, entry.provenance),
    shadowed: entry.shadowed.map(({ value, provenance }) => ({
      value: mask(entry.name, value),
      origin: provenanceView(deployment, provenance),
    })),
    artifacts: reach.ofEnvironment(workload.name, entry.name),
    overriddenBy: overridingFields(deployment, workload, entry.name).map(showPath),
    secret: secretUnder(deployment, workload.name, entry.name),
  };
}

/** The entries that `NAME` (of every workload) or `workload.NAME` stands for. */
export function explainEnvironment(deployment: Deployment, thing: string, reach: Reach): EnvironmentExplanation[] {
  const mask = valueMask(deployment);
  return deployment.workloads.flatMap((workload) =>
    workload.environment
      .filter((entry) => thing === entry.name || thing === `${workload.name}.${entry.name}`)
      .map((entry) => subjectOf(deployment, workload, entry, mask, reach)),
  );
}
