import { ours, shown } from "../../../base/shown.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import type { EditView } from "../../../diagnostics/view.ts";
import { applyFixes } from "../../../rules/apply-fixes.ts";
import { blankerFor, redactorFor } from "../../../views/value-mask.ts";
import type { FoundConfig } from "../../../workspace/find-deployments.ts";
import { loadFound, type LoadOptions } from "../../../workspace/load-deployment.ts";
import { unifiedDiff } from "../../../workspace/unified-diff.ts";
import { colouredDiff, paletteFor } from "../../output.ts";
import type { ProcessIo } from "../../process-io.ts";
import type { FixedDeployment } from "./fix-config.ts";

/** What fixes would make of a deployment: the change of its config, and what would be found then. Writes nothing. */
export function previewFixes(
  config: FoundConfig,
  options: LoadOptions,
  which: "safe" | "all",
): (FixedDeployment & { readonly edit: EditView | null }) | { readonly problem: Diagnostic } {
  const { deployment: before, problem } = loadFound(config, { ...options, most: Number.POSITIVE_INFINITY });
  if (problem !== undefined) return { problem };
  const { deployment, diagnostics, applied } = applyFixes(before, which, true);
  if (applied.length === 0) return { deployment, diagnostics, fixed: 0, edit: null };
  const texts = { before: before.inputs.config.text, after: deployment.inputs.config.text };
  const diff = unifiedDiff({ name: config.file, ...texts, says: "as it would be" }, blankerFor(before));
  const edit = { file: config.file, fixes: applied.map(redactorFor(before)), diff: diff.text };
  return { deployment, diagnostics, fixed: 0, edit };
}

/** Shows what fixes would change, for people. */
export async function printEdits(io: ProcessIo, edits: readonly EditView[]): Promise<void> {
  const palette = await paletteFor(io, io.stdout);
  for (const { diff } of edits) io.stdout.write(colouredDiff(ours(diff), palette));
  const count = edits.reduce((sum, { fixes }) => sum + fixes.length, 0);
  const what = count === 0 ? "nothing would be fixed" : `nothing was written; with ${count} fixed`;
  io.stdout.write(shown`${edits.length === 0 ? "" : ours("\n")}${what}, this would remain:\n\n`);
}
