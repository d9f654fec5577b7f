import { EditorView } from "@codemirror/view";

/** The mark in the margin and the line below a text, by severity: a sign as well as a colour. */
function severity(name: string, sign: string, colour: string) {
  return {
    [`.cm-lint-marker-${name}`]: { content: "none", backgroundColor: `var(--${colour})` },
    [`.cm-lint-marker-${name}::before`]: { content: `"${sign}"` },
    [`.cm-lintRange-${name}`]: {
      backgroundImage: "none",
      paddingBottom: "0",
      textDecoration: `underline wavy var(--${colour}) 1.25px`,
      textUnderlineOffset: "3.5px",
      textDecorationSkipInk: "none",
    },
    [`.cm-lintPoint-${name}::after`]: { borderBottomColor: `var(--${colour})` },
  };
}

const EDITOR = {
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "transparent", fontSize: "var(--code-size)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overscrollBehavior: "contain" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--accent)" },
  ".cm-content:focus-visible": { outline: "none" },
  ".cm-line": { padding: "0 16px 0 8px" },
  ".cm-placeholder": { color: "var(--ink-3)" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--ink-3)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 6px 0 4px", minWidth: "26px" },
  ".cm-activeLine": { backgroundColor: "var(--line-active)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--selection)",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)", outline: "none" },
  ".cm-nonmatchingBracket": { backgroundColor: "transparent", color: "inherit" },
};

const MARKS = {
  ".cm-gutter-lint": { width: "20px" },
  ".cm-gutter-lint .cm-gutterElement": {
    padding: "0",
    display: "flex",
    alignItems: "center",
    justifyContent: "center",
  },
  ".cm-lint-marker": {
    width: "14px",
    height: "14px",
    borderRadius: "4px",
    display: "flex",
    alignItems: "center",
    justifyContent: "center",
    font: "700 10px/1 var(--sans)",
    color: "var(--surface)",
  },
  ...severity("error", "✕", "error"),
  ...severity("warning", "!", "warning"),
  ...severity("info", "i", "info"),
};

const TIP = {
  ".cm-tooltip": { border: "none", backgroundColor: "transparent", zIndex: "20" },
  ".tip": {
    boxSizing: "border-box",
    maxWidth: "min(520px, calc(100vw - 40px))",
    maxHeight: "320px",
    overflow: "auto",
    padding: "12px 14px",
    border: "1px solid var(--line)",
    borderRadius: "10px",
    backgroundColor: "var(--raised)",
    boxShadow: "var(--shadow)",
    font: "13px/1.5 var(--sans)",
    color: "var(--ink)",
  },
  ".tip p": { margin: "0 0 6px" },
  ".tip code": { font: "0.92em var(--mono)", overflowWrap: "anywhere" },
  ".tip .tip-finding": { paddingBottom: "10px", marginBottom: "10px", borderBottom: "1px solid var(--line)" },
  ".tip .tip-finding:last-child": { border: "none", margin: "0", padding: "0" },
  ".tip .tip-severity": { fontWeight: "600", marginRight: "6px" },
  ".tip .is-error": { color: "var(--error)" },
  ".tip .is-warning": { color: "var(--warning)" },
  ".tip .is-info": { color: "var(--info)" },
  ".tip .tip-help": { color: "var(--ink-2)" },
  ".tip button": {
    font: "600 12.5px var(--sans)",
    color: "var(--accent)",
    backgroundColor: "var(--accent-soft)",
    border: "none",
    borderRadius: "6px",
    padding: "5px 10px",
    cursor: "pointer",
  },
  ".tip h4": { margin: "0 0 6px", font: "600 13px/1.45 var(--sans)", overflowWrap: "anywhere" },
  ".tip h4 ~ h4": { marginTop: "12px" },
  ".tip dl": { display: "grid", gridTemplateColumns: "max-content minmax(0, 1fr)", gap: "3px 12px", margin: "0" },
  ".tip dt": { color: "var(--ink-2)" },
  ".tip dd": { margin: "0", overflowWrap: "anywhere" },
  ".tip dd p": { margin: "0" },
};

const OFFERS = {
  ".cm-tooltip.cm-tooltip-autocomplete, .cm-tooltip.cm-completionInfo": {
    border: "1px solid var(--line)",
    borderRadius: "10px",
    backgroundColor: "var(--raised)",
    boxShadow: "var(--shadow)",
    color: "var(--ink)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    font: "var(--code-size)/1.5 var(--mono)",
    maxHeight: "15.5em",
    minWidth: "220px",
    maxWidth: "min(440px, calc(100vw - 40px))",
    padding: "4px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    display: "flex",
    gap: "16px",
    justifyContent: "space-between",
    alignItems: "baseline",
    padding: "2px 8px",
    borderRadius: "6px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent-soft)", color: "var(--accent)" },
  ".cm-tooltip-autocomplete-disabled ul li[aria-selected]": { backgroundColor: "var(--line-active)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionLabel": { overflow: "hidden", textOverflow: "ellipsis" },
  ".cm-completionDetail": { margin: "0", font: "12px var(--sans)", color: "var(--ink-2)", whiteSpace: "nowrap" },
  ".cm-tooltip.cm-completionInfo": {
    padding: "10px 14px",
    margin: "0 6px",
    font: "13px/1.5 var(--sans)",
    maxWidth: "min(320px, calc(100vw - 40px))",
  },
  // Where there is no room beside the list it would lie on it.
  ".cm-completionInfo-left-narrow, .cm-completionInfo-right-narrow": { display: "none" },
  ".cm-completionInfo p": { margin: "0 0 6px" },
  ".cm-completionInfo p:last-child": { margin: "0" },
  ".cm-completionInfo code": { font: "0.92em var(--mono)", overflowWrap: "anywhere" },
};

/** What an editor looks like. It stands in a shadow root, which the page's own sheet does not reach; custom properties do. */
export const EDITOR_THEME = EditorView.theme({ ...EDITOR, ...MARKS, ...TIP, ...OFFERS });
