import { compareText } from "../base/text-order.ts";
import type { Diagnostic, Severity } from "./diagnostic.ts";

const SEVERITY_RANK: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/** The total order in which diagnostics are reported: file, place, severity, rule, message. Whole-file findings come first. */
function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.file, b.file) ||
    (a.range?.start.offset ?? -1) - (b.range?.start.offset ?? -1) ||
    (a.range?.end.offset ?? -1) - (b.range?.end.offset ?? -1) ||
    SEVERITY_RANK[a.severity] - SEVERITY_RANK[b.severity] ||
    compareText(a.rule, b.rule) ||
    compareText(a.message, b.message)
  );
}

/** Sorts diagnostics and drops those that say the same thing of the same place. */
export function orderDiagnostics(diagnostics: Iterable<Diagnostic>): Diagnostic[] {
  const sorted = [...diagnostics].sort(compareDiagnostics);
  return sorted.filter(
    (diagnostic, at) => at === 0 || compareDiagnostics(sorted[at - 1] as Diagnostic, diagnostic) !== 0,
  );
}
