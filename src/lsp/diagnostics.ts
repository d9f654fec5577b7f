import { type Diagnostic as LspDiagnostic, DiagnosticSeverity, type Range } from "vscode-languageserver/node";
import type { Severity } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { DiagnosticView } from "../diagnostics/view.ts";
import { CONFIG_NAME } from "../workspace/paths.ts";
import { type Judged, uriOf } from "./workspace.ts";

const SOURCE = "qm-deploy";

const SEVERITIES: { readonly [severity in Severity]: DiagnosticSeverity } = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
};

/** A place as editors count it: from 0, in UTF-16 units, without a byte order mark, which no editor shows. */
export function rangeOf(range: SourceRange | null, hasMark = false): Range {
  if (range === null) return { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  const at = ({ line, column }: SourceRange["start"]) => ({
    line: line - 1,
    character: Math.max(0, column - 1 - (hasMark && line === 1 ? 1 : 0)),
  });
  return { start: at(range.start), end: at(range.end) };
}

/** True where the text of a file, as it was judged, begins with a byte order mark. */
export function hasMark({ deployment }: Judged, file: string): boolean {
  const { config, envFile } = deployment?.inputs ?? { config: null, envFile: null };
  return [config, envFile].some((source) => source?.file === file && source.text.startsWith("\uFEFF"));
}

/** One finding as editors take it. */
export function lspDiagnostic(judged: Judged, view: DiagnosticView): LspDiagnostic {
  return {
    range: rangeOf(view.range, hasMark(judged, view.file)),
    severity: SEVERITIES[view.severity],
    source: SOURCE,
    code: view.rule,
    message: `${view.message}\n${view.help}`,
    relatedInformation: view.related.map(({ file, range, message }) => ({
      location: { uri: uriOf(judged, file), range: rangeOf(range, hasMark(judged, file)) },
      message,
    })),
  };
}

/** Findings by the address of their file; the config's is always there, so that old ones go away. */
export function byFile(judged: Judged): Map<string, LspDiagnostic[]> {
  const files = new Map<string, LspDiagnostic[]>([[uriOf(judged, CONFIG_NAME), []]]);
  for (const view of judged.views) {
    // Somebody decided to live with it; only reports list it.
    if (view.suppression !== null) continue;
    const uri = uriOf(judged, view.file);
    files.set(uri, [...(files.get(uri) ?? []), lspDiagnostic(judged, view)]);
  }
  return files;
}
