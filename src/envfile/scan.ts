import type { QuoteStyle } from "./env-document.ts";
import { indexBefore, lineEnd, lineStart, nextLine, skipBlanks, trimBlanks } from "./line.ts";
import { closingQuote, quoteStyle, unquoted } from "./quoted.ts";

/** Offsets into the text, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What stands behind an `=`. */
export interface ScannedValue {
  readonly value: string;
  readonly quote: QuoteStyle;
  readonly written: Span;
  readonly comment: Span | null;
  /** Text between the closing quote and the end of the line that is not a comment. */
  readonly rest: Span | null;
  readonly isUnterminated: boolean;
  /** Offset of the line end behind the value. */
  readonly end: number;
}

/** One line (or more, when a quoted value has more) that is neither blank nor a comment. */
export interface Statement {
  readonly start: number;
  readonly exported: boolean;
  readonly key: Span;
  /** Null for a line without `=`. */
  readonly value: ScannedValue | null;
  readonly end: number;
}

/** The span of what follows `export` and blanks, or of the whole when there is no `export`. */
function afterExport(text: string, start: number, end: number): number {
  if (!text.startsWith("export", start)) return start;
  const at = skipBlanks(text, start + 6, end);
  return at > start + 6 && at < end && text[at] !== "=" ? at : start;
}

function scanUnquoted(text: string, start: number, end: number, isUnterminated: boolean): ScannedValue {
  let stop = end;
  let comment: Span | null = null;
  for (
    let at = indexBefore(text, "#", start, end);
    at !== -1 && !isUnterminated;
    at = indexBefore(text, "#", at + 1, end)
  ) {
    if (text[at - 1] !== " " && text[at - 1] !== "\t") continue;
    comment = { start: at, end };
    stop = at;
    break;
  }
  const written = { start, end: trimBlanks(text, start, stop) };
  return {
    value: text.slice(written.start, written.end),
    quote: "none",
    written,
    comment,
    rest: null,
    isUnterminated,
    end,
  };
}

/** True when the quote at `at` opens the value of an assignment that stands on its line. */
function opensAssignment(text: string, at: number): boolean {
  return /^[ \t]*(?:export[ \t]+)?[A-Za-z_][A-Za-z0-9_]*[ \t]*=[ \t]*$/.test(text.slice(lineStart(text, at), at));
}

/**
 * A quote that is never closed must not swallow the lines below. It counts as never closed, too, when its closing quote
 * stands on another line and opens an assignment there or has text behind it. The value is then what its line holds,
 * quote included, as qm, node and dotenv read it.
 */
function scanQuoted(text: string, open: number, style: Exclude<QuoteStyle, "none">): ScannedValue {
  const firstEnd = lineEnd(text, open);
  const close = closingQuote(text, open);
  if (close === -1) return scanUnquoted(text, open, firstEnd, true);
  const end = lineEnd(text, close + 1);
  const behind = skipBlanks(text, close + 1, end);
  const hasRest = behind < end && text[behind] !== "#";
  if (close > firstEnd && (hasRest || opensAssignment(text, close))) return scanUnquoted(text, open, firstEnd, true);
  return {
    value: unquoted(text.slice(open + 1, close), style),
    quote: style,
    written: { start: open, end: close + 1 },
    comment: behind < end && !hasRest ? { start: behind, end } : null,
    rest: hasRest ? { start: behind, end: trimBlanks(text, behind, end) } : null,
    isUnterminated: false,
    end,
  };
}

function scanStatement(text: string, at: number, content: number, end: number): Statement {
  const start = afterExport(text, content, end);
  const equals = indexBefore(text, "=", start, end);
  const hasValue = equals !== -1;
  const key = { start, end: trimBlanks(text, start, hasValue ? equals : end) };
  const exported = start > content;
  if (!hasValue) return { start: at, exported, key, value: null, end };
  const open = skipBlanks(text, equals + 1, end);
  const style = quoteStyle(text[open]);
  const value = style === null ? scanUnquoted(text, open, end, false) : scanQuoted(text, open, style);
  return { start: at, exported, key, value, end: value.end };
}

/** The statements of an env file in order. Takes time linear in the text. */
export function statements(text: string): Statement[] {
  const found: Statement[] = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    const end = lineEnd(text, at);
    const content = skipBlanks(text, at, end);
    if (content === end || text[content] === "#") {
      at = nextLine(text, end);
      continue;
    }
    const statement = scanStatement(text, at, content, end);
    found.push(statement);
    at = nextLine(text, statement.end);
  }
  return found;
}
