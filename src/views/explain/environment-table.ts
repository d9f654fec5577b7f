import type { Deployment } from "../../deployment/deployment.ts";
import { compareText } from "../../base/text-order.ts";
import { valueMask } from "../value-mask.ts";
import { type ProvenanceView, provenanceView } from "../provenance.ts";

/** One name that a workload gets. */
export interface EnvironmentRow {
  readonly workload: string;
  readonly name: string;
  /** Null for a secret: its value is in no output. */
  readonly value: string | null;
  /** Null for a secret. */
  readonly origin: ProvenanceView | null;
  /** The secret behind it; null for what is not one. */
  readonly secret: { readonly name: string; readonly required: boolean; readonly reason: string } | null;
}

/** Every name of every workload, workloads in their order, names sorted; a secret replaces a plain value of its name. */
export function environmentTable(deployment: Deployment): readonly EnvironmentRow[] {
  const mask = valueMask(deployment);
  return deployment.workloads.flatMap((workload) => {
    const rows = new Map<string, EnvironmentRow>();
    for (const { name, value, provenance } of workload.environment) {
      rows.set(name, {
        workload: workload.name,
        name,
        value: mask(name, value),
        origin: provenanceView(deployment, provenance),
        secret: null,
      });
    }
    for (const { name, required, reason, destinations } of deployment.secrets) {
      for (const { env } of destinations.filter((one) => one.workload === workload.name)) {
        rows.set(env, {
          workload: workload.name,
          name: env,
          value: null,
          origin: null,
          secret: { name, required, reason },
        });
      }
    }
    return [...rows.values()].sort((a, b) => compareText(a.name, b.name));
  });
}
