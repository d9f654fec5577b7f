import type { Extension } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import type { DiagnosticView, ExplainedText } from "qm-deploy/pure";
import { explanationNodes } from "../panels/explanation.ts";
import { h, prose } from "../ui/dom.ts";

/** What is known of a place of a text. */
export interface KnownAt {
  readonly findings: readonly DiagnosticView[];
  readonly explained: (ExplainedText & { readonly range: { readonly start: Offset; readonly end: Offset } }) | null;
}

interface Offset {
  readonly offset: number;
}

export interface HoverOptions {
  readonly knownAt: (offset: number) => Promise<KnownAt>;
  readonly onFix: (finding: DiagnosticView) => void;
}

/** Milliseconds that the pointer rests before something is said. */
const RESTS_MS = 250;

/** Says what is found and known where the pointer rests. */
export function explainOnHover({ knownAt, onFix }: HoverOptions): Extension {
  return hoverTooltip(
    async (view, offset) => {
      if (/[\s{}[\],:]/.test(view.state.sliceDoc(offset, offset + 1))) return null;
      const { findings, explained } = await knownAt(offset);
      const range = explained?.range ?? findings[0]?.range;
      if (range == null || range.end.offset > view.state.doc.length) return null;
      return {
        pos: range.start.offset,
        end: range.end.offset,
        create: () => ({ dom: tip(findings, explained, onFix) }),
      };
    },
    { hoverTime: RESTS_MS },
  );
}

function tip(findings: readonly DiagnosticView[], explained: ExplainedText | null, onFix: HoverOptions["onFix"]) {
  const found = findings.map((finding) =>
    h(
      "div",
      { class: "tip-finding" },
      h(
        "p",
        {},
        h("span", { class: `tip-severity is-${finding.severity}` }, finding.severity),
        ...prose(finding.message),
      ),
      finding.help === null ? null : h("p", { class: "tip-help" }, ...prose(finding.help)),
      finding.fix === null
        ? null
        : h("button", { type: "button", click: () => onFix(finding) }, `Fix: ${finding.fix.title.replaceAll("`", "")}`),
    ),
  );
  return h("div", { class: "tip" }, ...found, ...(explained === null ? [] : explanationNodes(explained, "h4")));
}
