import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
  tooltips,
} from "@codemirror/view";
import { languageOf } from "./languages.ts";
import { EDITOR_THEME } from "./theme.ts";

export interface EditorOptions {
  /** What a screen reader calls it. */
  readonly label: string;
  /** Decides the colours. */
  readonly fileName: string;
  /** What stands in it while it is empty. */
  readonly hint: string;
  readonly extensions: readonly Extension[];
}

/**
 * Puts an editor into a shadow root of the host: there CodeMirror's style sheets are constructed ones, which a strict
 * content security policy allows without a nonce.
 */
function mount(host: HTMLElement, extensions: Extension): EditorView {
  const root = host.attachShadow({ mode: "open" });
  const view = new EditorView({ parent: root, root, state: EditorState.create({ extensions }) });
  // Firefox now and then overlooks rules that were put into a sheet after it was adopted.
  root.adoptedStyleSheets = [...root.adoptedStyleSheets];
  return view;
}

/** Pixels that tips keep from the edge of the window. */
const EDGE = 8;

function windowWithin(edge: number) {
  return { left: edge, top: edge, right: innerWidth - edge, bottom: innerHeight - edge };
}

/** An editor for a text. Tab leaves it, as it does any other field. */
export function textEditor(host: HTMLElement, { label, fileName, hint, extensions }: EditorOptions): EditorView {
  return mount(host, [
    ...extensions,
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    drawSelection(),
    placeholder(hint),
    tooltips({ tooltipSpace: () => windowWithin(EDGE) }),
    history(),
    bracketMatching(),
    indentOnInput(),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    languageOf(fileName),
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", autocapitalize: "off", translate: "no" }),
    EDITOR_THEME,
  ]);
}

/** Shows texts that are not for editing. */
export class TextViewer {
  readonly #view: EditorView;
  readonly #kind = new Compartment();

  constructor(host: HTMLElement) {
    this.#view = mount(host, [
      lineNumbers(),
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      this.#kind.of([]),
      EDITOR_THEME,
    ]);
  }

  /** Shows the text of a file; a file that is shown again stays where it is scrolled to. */
  show(name: string, text: string, isSame: boolean): void {
    const { state } = this.#view;
    const top = this.#view.scrollDOM.scrollTop;
    if (isSame && state.sliceDoc() === text) return;
    const attributes = EditorView.contentAttributes.of({
      "aria-label": name,
      "aria-readonly": "true",
      tabindex: "0",
      translate: "no",
    });
    this.#view.dispatch({
      changes: { from: 0, to: state.doc.length, insert: text },
      effects: this.#kind.reconfigure([languageOf(name), attributes]),
    });
    this.#view.scrollDOM.scrollTop = isSame ? top : 0;
  }
}

/** Puts another text into an editor by the smallest change, so that the cursor stays and one undo takes it back. */
export function putText(view: EditorView, text: string): void {
  const before = view.state.sliceDoc();
  if (before === text) return;
  let start = 0;
  while (start < before.length && before[start] === text[start]) start++;
  let end = 0;
  const most = Math.min(before.length, text.length) - start;
  while (end < most && before.at(-1 - end) === text.at(-1 - end)) end++;
  view.dispatch({
    changes: { from: start, to: before.length - end, insert: text.slice(start, text.length - end) },
    userEvent: "input.fix",
  });
}
