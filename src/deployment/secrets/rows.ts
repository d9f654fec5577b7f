import { secretRows } from "../../catalog/secret-rows.ts";
import type { SecretRow } from "../../catalog/secret-row.ts";
import type { Basis } from "../basis.ts";
import { judgeCondition } from "../condition.ts";
import { servicePath } from "../places.ts";
import type { Ground, SecretCatalogue } from "./catalogue.ts";

/** Adds the secrets that the release and the backends demand or can use. */
export function addCatalogueRows(catalogue: SecretCatalogue, basis: Basis): void {
  for (const row of secretRows(basis.release)) {
    if (!basis.services.includes(row.service)) continue;
    const standing = judgeRow(row, basis);
    if (standing === null) continue;
    catalogue.add({
      name: row.name,
      description: row.description,
      required: standing.required,
      managedBy: (basis.target === null ? undefined : row.managedBy?.[basis.target]) ?? "operator",
      reason: standing.reason,
      because: standing.because,
      source: row.source,
      destination: { workload: basis.release.host[row.service], env: row.env ?? row.name },
    });
  }
}

/** What a row is in this deployment; null where it does not count. */
function judgeRow(row: SecretRow, basis: Basis): Pick<Ground, "required" | "reason" | "because"> | null {
  // Core is in every deployment, so that its plain rows rest on nothing that the config could change.
  const service = row.service === "core" ? [] : [servicePath(basis.document, row.service)];
  if (row.when === undefined) return { required: row.optional !== true, reason: { readBy: row.service }, because: service };
  const verdict = judgeCondition(row.when, basis);
  if (verdict.holds) return { required: row.optional !== true, reason: verdict.reason, because: [...verdict.because, ...service] };
  if (row.otherwise !== "optional") return null;
  return { required: false, reason: `\`${row.service}\` can use it; required where ${verdict.reason}`, because: verdict.because };
}
