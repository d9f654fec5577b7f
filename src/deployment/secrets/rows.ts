import { secretRows } from "../../catalog/secret-rows.ts";
import type { SecretRow } from "../../catalog/secret-row.ts";
import type { Ground, SecretCatalogue } from "./catalogue.ts";
import { evaluateCondition } from "./condition.ts";
import { placeOfService, type SecretFacts } from "./facts.ts";

/** Adds the secrets that the release and the backends demand or can use. */
export function addCatalogueRows(catalogue: SecretCatalogue, facts: SecretFacts): void {
  for (const row of secretRows(facts.release)) {
    if (!facts.services.includes(row.service)) continue;
    const standing = judgeRow(row, facts);
    if (standing === null) continue;
    catalogue.add({
      name: row.name,
      description: row.description,
      required: standing.required,
      managedBy: (facts.target === null ? undefined : row.managedBy?.[facts.target]) ?? "operator",
      reason: standing.reason,
      because: standing.because,
      source: row.source,
      destination: { workload: facts.release.host[row.service], env: row.env ?? row.name },
    });
  }
}

/** What a row is in this deployment; null where it does not count. */
function judgeRow(row: SecretRow, facts: SecretFacts): Pick<Ground, "required" | "reason" | "because"> | null {
  // Core is in every deployment, so that its plain rows rest on nothing that the config could change.
  const service = row.service === "core" ? [] : [placeOfService(facts, row.service)];
  if (row.when === undefined)
    return { required: row.optional !== true, reason: { readBy: row.service }, because: service };
  const verdict = evaluateCondition(row.when, facts);
  if (verdict.holds)
    return { required: row.optional !== true, reason: verdict.reason, because: [...verdict.because, ...service] };
  if (row.otherwise !== "optional") return null;
  return {
    required: false,
    reason: `\`${row.service}\` can use it; required where ${verdict.reason}`,
    because: verdict.because,
  };
}
