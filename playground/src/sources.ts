import { Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import type { Completion, DiagnosticView } from "qm-deploy/pure";
import { completeOnTyping } from "./editor/completion.ts";
import { FINDING_MARKS, findingsAt, markFindings, spanOf } from "./editor/findings.ts";
import { explainOnHover, type KnownAt } from "./editor/hover.ts";
import { putText, textEditor } from "./editor/text-editor.ts";
import { listed } from "./panels/findings.ts";
import { byId } from "./ui/dom.ts";
import { Tabs } from "./ui/tabs.ts";

/** The files of a deployment that are written here. */
const FILES = ["qm.config.jsonc", ".env"] as const;
export type FileName = (typeof FILES)[number];

const TAB_OF = { "qm.config.jsonc": "tab-config", ".env": "tab-env" } as const;
const HOST_OF = { "qm.config.jsonc": "config", ".env": "env" } as const;

export interface SourcesOptions {
  readonly onEdit: (file: FileName, text: string) => void;
  readonly onFix: (finding: DiagnosticView) => void;
  readonly explainedAt: (file: FileName, offset: number) => Promise<KnownAt["explained"]>;
  readonly offersAt: (file: FileName, offset: number) => Promise<readonly Completion[]>;
  /** The explanation of what the cursor is on was asked for. */
  readonly onExplain: (file: FileName, offset: number) => void;
  /** The cursor of the config was moved. */
  readonly onCursor: (offset: number) => void;
}

/** The editors for the config and for `.env`. */
export class Sources {
  readonly #options: SourcesOptions;
  readonly #tabs = new Tabs(byId("source-tabs"), () => undefined);
  readonly #views: { readonly [file in FileName]: EditorView };
  #findings: readonly DiagnosticView[] = [];

  constructor(options: SourcesOptions) {
    this.#options = options;
    this.#views = { "qm.config.jsonc": this.#editor("qm.config.jsonc"), ".env": this.#editor(".env") };
  }

  /** Puts a text into an editor. */
  put(file: FileName, text: string): void {
    putText(this.#views[file], text);
  }

  /** Marks what was found. */
  show(findings: readonly DiagnosticView[]): void {
    this.#findings = findings;
    for (const file of FILES) markFindings(this.#views[file], this.#of(file));
  }

  /** Shows a place and puts the cursor there. */
  goTo(name: string, range: DiagnosticView["range"]): void {
    const file = FILES.find((one) => one === name);
    if (file === undefined) return;
    this.open(file);
    const view = this.#views[file];
    const length = view.state.doc.length;
    const from = Math.min(range?.start.offset ?? 0, length);
    view.dispatch({
      selection: { anchor: from, head: Math.min(range?.end.offset ?? from, length) },
      effects: EditorView.scrollIntoView(from, { y: "center" }),
    });
    view.focus();
    byId(HOST_OF[file]).scrollIntoView({ block: "nearest" });
  }

  /** Shows a file. */
  open(file: FileName): void {
    this.#tabs.select(TAB_OF[file]);
  }

  focus(): void {
    this.#views[this.#tabs.selected === "tab-env" ? ".env" : "qm.config.jsonc"].focus();
  }

  #of(file: FileName): readonly DiagnosticView[] {
    return this.#findings.filter((finding) => finding.file === file && finding.suppression === null);
  }

  #editor(file: FileName): EditorView {
    const isConfig = file === "qm.config.jsonc";
    const keys = keymap.of([
      { key: "Mod-i", run: ({ state }) => this.#explain(file, state.selection.main.head) },
      { key: "Mod-.", run: ({ state }) => this.#fixAt(file, state.selection.main.head) },
      { key: "F8", run: () => this.#move(file, 1) },
      { key: "Shift-F8", run: () => this.#move(file, -1) },
    ]);
    return textEditor(byId(HOST_OF[file]), {
      label: file,
      fileName: file,
      hint: isConfig ? "Paste a qm.config.jsonc here." : "NAME=value, one a line.",
      extensions: [
        Prec.highest(keys),
        FINDING_MARKS,
        completeOnTyping((offset) => this.#options.offersAt(file, offset)),
        explainOnHover({
          knownAt: async (offset) => ({
            findings: listed(findingsAt(this.#of(file), offset)),
            explained: await this.#options.explainedAt(file, offset),
          }),
          onFix: this.#options.onFix,
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.#options.onEdit(file, update.state.sliceDoc());
          else if (isConfig && update.selectionSet) this.#options.onCursor(update.state.selection.main.head);
        }),
      ],
    });
  }

  #explain(file: FileName, offset: number): boolean {
    this.#options.onExplain(file, offset);
    return true;
  }

  #fixAt(file: FileName, offset: number): boolean {
    const { doc } = this.#views[file].state;
    const line = doc.lineAt(offset).number;
    const fixable = listed(this.#of(file)).filter(({ fix }) => fix !== null);
    const finding =
      findingsAt(fixable, offset)[0] ?? fixable.find(({ range }) => range !== null && range.start.line === line);
    if (finding !== undefined) this.#options.onFix(finding);
    return true;
  }

  /** Goes to the next finding of the text, or the one before, and around. */
  #move(file: FileName, step: 1 | -1): boolean {
    const { state } = this.#views[file];
    const head = state.selection.main.from;
    const places = this.#of(file)
      .flatMap((finding) => {
        const span = spanOf(finding, state.doc.length);
        return span === null ? [] : [{ finding, from: span.from }];
      })
      .toSorted((a, b) => a.from - b.from);
    const next =
      step === 1
        ? (places.find(({ from }) => from > head) ?? places[0])
        : (places.findLast(({ from }) => from < head) ?? places.at(-1));
    if (next !== undefined) this.goTo(file, next.finding.range);
    return true;
  }
}
