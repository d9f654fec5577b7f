import { type CodeAction, CodeActionKind, type Range, type TextEdit } from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { smallestSplice } from "../base/text-edit.ts";
import { applyFix, applyFixes } from "../rules/apply-fixes.ts";
import { lspDiagnostic } from "./diagnostics.ts";
import type { Judged } from "./workspace.ts";

const FIX_ALL = `${CodeActionKind.SourceFixAll}.qm-deploy`;

/** The kinds of actions that are offered. */
export const ACTION_KINDS: readonly string[] = [CodeActionKind.QuickFix, FIX_ALL];

/**
 * The fixes of the findings that touch a range of the open config, and one for all that are safe. `only` is as in the protocol: kinds that
 * are wanted, with all below them; undefined for all.
 */
export function codeActions(
  judged: Judged,
  open: TextDocument,
  range: Range,
  only: readonly string[] | undefined,
): CodeAction[] {
  const { deployment, diagnostics, views } = judged;
  if (deployment === null || deployment.inputs.config.text !== open.getText()) return [];
  const isWanted = (kind: string): boolean =>
    only === undefined || only.some((one) => kind === one || kind.startsWith(`${one}.`));
  const actions: CodeAction[] = [];
  const add = (action: CodeAction, text: string | null): void => {
    const edit = text === null ? null : editOf(open, text);
    if (edit !== null) actions.push({ ...action, edit: { changes: { [open.uri]: [edit] } } });
  };
  if (isWanted(CodeActionKind.QuickFix)) {
    for (const [at, diagnostic] of diagnostics.entries()) {
      const view = views[at];
      // What somebody decided to live with is not shown, and a fix of it would be about nothing.
      if (view?.fix == null || view.suppression !== null || diagnostic.file !== deployment.document.file) continue;
      const shown = lspDiagnostic(judged, view);
      if (!touches(shown.range, range)) continue;
      const facts = { title: view.fix.title, kind: CodeActionKind.QuickFix, diagnostics: [shown] };
      add({ ...facts, ...(view.fix.safety === "safe" ? { isPreferred: true } : {}) }, applyFix(deployment, diagnostic));
    }
  }
  if (isWanted(FIX_ALL) && views.some(({ fix, suppression }) => fix?.safety === "safe" && suppression === null)) {
    const { deployment: fixed } = applyFixes(deployment, "safe");
    add({ title: "apply every fix that is safe", kind: FIX_ALL }, fixed.inputs.config.text);
  }
  return actions;
}

function editOf(open: TextDocument, text: string): TextEdit | null {
  const splice = smallestSplice(open.getText(), text);
  if (splice === null) return null;
  return { range: { start: open.positionAt(splice.start), end: open.positionAt(splice.end) }, newText: splice.text };
}

function touches(a: Range, b: Range): boolean {
  const isBefore = (one: Range["start"], other: Range["start"]): boolean =>
    one.line < other.line || (one.line === other.line && one.character < other.character);
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}
