import type { DiagnosticView } from "qm-deploy/pure";
import { byId, counted, h, icon, prose, replaceKeepingFocus } from "../ui/dom.ts";
import { saysSecret } from "../secret-gate.ts";
import { copy } from "../ui/notice.ts";
import type { Judged } from "../worker.ts";

export interface FindingsOptions {
  readonly onFix: (which: "safe" | "all" | DiagnosticView) => void;
  readonly onGoTo: (file: string, range: DiagnosticView["range"]) => void;
  readonly onExplain: (thing: string) => void;
}

const RANK = { error: 0, warning: 1, info: 2 } as const;

/** Findings as they are listed: secrets and the gravest first, then as they stand in the text; those that are suppressed last. */
export function listed(findings: readonly DiagnosticView[]): readonly DiagnosticView[] {
  return findings.toSorted(
    (a, b) =>
      Number(a.suppression !== null) - Number(b.suppression !== null) ||
      RANK[a.severity] - RANK[b.severity] ||
      Number(saysSecret(b)) - Number(saysSecret(a)) ||
      (a.range?.start.offset ?? -1) - (b.range?.start.offset ?? -1),
  );
}

/** Says in a few words what a run came to. */
export function verdict({ ok, diagnostics }: Judged["view"]): string {
  const open = diagnostics.filter(({ suppression }) => suppression === null);
  const of = (severity: DiagnosticView["severity"]): number => open.filter((one) => one.severity === severity).length;
  const counts = [
    ...(of("error") > 0 ? [counted(of("error"), "error")] : []),
    ...(of("warning") > 0 ? [counted(of("warning"), "warning")] : []),
    ...(of("info") > 0 ? [counted(of("info"), "info")] : []),
  ];
  return `${ok ? "Passes" : "Fails"}${counts.length === 0 ? "" : `: ${counts.join(", ")}`}`;
}

/** The list of findings, with its fixes. */
export class FindingsPanel {
  readonly #options: FindingsOptions;
  readonly #list = byId("findings-list");
  readonly #fixes = byId("findings-fixes");

  constructor(options: FindingsOptions) {
    this.#options = options;
  }

  show({ view }: Judged): void {
    const findings = listed(view.diagnostics);
    this.#showFixes(findings);
    if (findings.length === 0) {
      replaceKeepingFocus(this.#list, [
        h("div", { class: "empty" }, icon("check"), h("p", {}, "Nothing to say: this deployment is sound.")),
      ]);
      return;
    }
    // The rules themselves end lists that nobody could read.
    const items = findings.map((finding, at) => findingItem(finding, String(at), this.#options));
    replaceKeepingFocus(this.#list, [h("ul", { class: "findings" }, ...items)]);
  }

  #showFixes(findings: readonly DiagnosticView[]): void {
    const fixes = findings.filter(({ fix, suppression }) => fix !== null && suppression === null);
    const safe = fixes.filter(({ fix }) => fix?.safety === "safe").length;
    const button = (which: "safe" | "all", text: string, title: string) =>
      h(
        "button",
        {
          type: "button",
          class: which === "safe" ? "button is-accent" : "button",
          "data-key": `fix-${which}`,
          title,
          click: () => this.#options.onFix(which),
        },
        text,
      );
    replaceKeepingFocus(this.#fixes, [
      ...(safe > 0
        ? [button("safe", `Apply ${counted(safe, "safe fix", "safe fixes")}`, "As `check --fix`: what is certain")]
        : []),
      ...(fixes.length > safe
        ? [
            button(
              "all",
              fixes.length === 1 ? "Apply 1 fix" : `Apply all ${fixes.length}`,
              "As `check --fix=all`: also what is likely",
            ),
          ]
        : []),
    ]);
  }
}

/** One finding: what, where, why, and what to do about it. */
function findingItem(finding: DiagnosticView, key: string, options: FindingsOptions): HTMLElement {
  const { severity, message, help, command, rule, fix, related, suppression } = finding;
  return h(
    "li",
    { class: `finding is-${severity}${suppression === null ? "" : " is-suppressed"}` },
    h("span", { class: "mark", "aria-hidden": "true" }, icon(severity)),
    h(
      "div",
      { class: "finding-body" },
      h("p", { class: "finding-message" }, h("span", { class: "visually-hidden" }, `${severity}: `), ...prose(message)),
      help === null ? null : h("p", { class: "finding-help" }, ...prose(help)),
      suppression === null ? null : h("p", { class: "finding-help" }, `Left out on purpose: ${suppression.reason}`),
      h(
        "div",
        { class: "finding-actions" },
        h(
          "div",
          { class: "finding-links" },
          placeButton(finding.file, finding.range, `place-${key}`, options),
          ...related.map(({ file, range, message: label }, at) =>
            placeButton(file, range, `related-${key}-${at}`, options, label),
          ),
          h(
            "button",
            {
              type: "button",
              class: "link",
              "data-key": `rule-${key}`,
              title: "Explain this rule",
              click: () => options.onExplain(rule),
            },
            rule,
          ),
          command === null ? null : commandButton(command, `command-${key}`),
        ),
        fix === null || suppression !== null
          ? null
          : h(
              "button",
              {
                type: "button",
                class: "fix",
                "data-key": `fix-${key}`,
                title: fix.safety === "safe" ? "Its meaning is certain" : "Likely what was meant: look at it",
                click: () => options.onFix(finding),
              },
              icon("fix"),
              h("span", {}, ...prose(sentence(fix.title))),
              fix.safety === "safe" ? null : h("span", { class: "fix-note" }, "suggested"),
            ),
      ),
    ),
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function placeButton(
  file: string,
  range: DiagnosticView["range"],
  key: string,
  { onGoTo }: FindingsOptions,
  label: string | null = null,
): HTMLElement {
  const isOpen = file === "qm.config.jsonc";
  const place = range === null ? file : `${isOpen ? "line " : `${file}:`}${range.start.line}`;
  const text = label === null ? place : `${label}: ${place}`;
  if (range === null || (!isOpen && file !== ".env")) return h("span", { class: "place" }, text);
  return h("button", { type: "button", class: "link", "data-key": key, click: () => onGoTo(file, range) }, text);
}

function commandButton(command: string, key: string): HTMLElement {
  return h(
    "button",
    {
      type: "button",
      class: "link is-code",
      "data-key": key,
      title: "Copy this command",
      click: () => void copy(command, "Command"),
    },
    command,
  );
}
