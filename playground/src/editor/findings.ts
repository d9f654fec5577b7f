import { type Diagnostic, linter, lintGutter, setDiagnostics } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { DiagnosticView } from "qm-deploy/pure";

/** Marks in the margin and under the text; what they say is told by the hover of this page instead of the library's. */
export const FINDING_MARKS: Extension = [
  linter(null, { tooltipFilter: () => [] }),
  lintGutter({ tooltipFilter: () => [] }),
];

/** Where a finding stands in a text, as far as the text reaches. */
export function spanOf(
  { range }: DiagnosticView,
  length: number,
): { readonly from: number; readonly to: number } | null {
  if (range === null) return null;
  const from = Math.min(range.start.offset, length);
  return { from, to: Math.min(Math.max(range.end.offset, from), length) };
}

/** Marks the findings of a file in its editor. */
export function markFindings(view: EditorView, findings: readonly DiagnosticView[]): void {
  const marks = findings.flatMap((finding): Diagnostic[] => {
    const span = spanOf(finding, view.state.doc.length);
    // Of a file that is empty the list says so.
    return span === null || view.state.doc.length === 0
      ? []
      : [{ ...span, severity: finding.severity, message: finding.message, source: finding.rule }];
  });
  view.dispatch(setDiagnostics(view.state, marks));
}

/** The findings whose range an offset is in. */
export function findingsAt(findings: readonly DiagnosticView[], offset: number): readonly DiagnosticView[] {
  return findings.filter(({ range }) => range !== null && range.start.offset <= offset && offset <= range.end.offset);
}
