import { afterLineBreak, lineEnd, lineStart, skipBlanks, skipBlanksBack } from "../base/text-edit.ts";
import type { QuoteStyle } from "./env-document.ts";

/** Offsets into the text, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A comment; `isInValue` where it stands behind an unquoted value, of which qm reads it as a part. */
export interface CommentSpan extends Span {
  readonly isInValue: boolean;
}

/** What stands behind an `=`. */
export interface RawValue {
  /** What the value means. */
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

/** A line that is neither blank nor a comment; more than one where a quoted value has more. */
export interface RawEntry extends Span {
  readonly exported: boolean;
  readonly key: Span;
  /** Null for a line without `=`. */
  readonly value: RawValue | null;
}

const QUOTES: { readonly [character: string]: Exclude<QuoteStyle, "none"> } = {
  '"': "double",
  "'": "single",
  "`": "backtick",
};

/** Finds the entries of an env file in order. Takes time linear in the text. */
export function scanEntries(text: string): RawEntry[] {
  return scan(text).entries;
}

/** Finds the comments of an env file in order: lines of their own, and those behind a value. */
export function scanComments(text: string): CommentSpan[] {
  return scan(text).comments;
}

function scan(text: string): { readonly entries: RawEntry[]; readonly comments: CommentSpan[] } {
  const entries: RawEntry[] = [];
  const comments: CommentSpan[] = [];
  for (let at = text.startsWith("\uFEFF") ? 1 : 0; at < text.length;) {
    let end = lineEnd(text, at);
    const content = skipBlanks(text, at, end);
    if (text[content] === "#") comments.push({ start: content, end, isInValue: false });
    else if (content < end) {
      const entry = scanEntry(text, at, content, end);
      entries.push(entry);
      if (entry.value?.comment != null)
        comments.push({ ...entry.value.comment, isInValue: entry.value.quote === "none" });
      end = entry.end;
    }
    at = afterLineBreak(text, end);
  }
  return { entries, comments };
}

function scanEntry(text: string, start: number, content: number, end: number): RawEntry {
  const name = afterExport(text, content, end);
  const exported = name > content;
  const length = text.slice(name, end).indexOf("=");
  if (length === -1)
    return { start, exported, key: { start: name, end: skipBlanksBack(text, end, name) }, value: null, end };
  const equals = name + length;
  const key = { start: name, end: skipBlanksBack(text, equals, name) };
  const open = skipBlanks(text, equals + 1, end);
  const style = QUOTES[text[open] ?? ""];
  const value = style === undefined ? scanUnquoted(text, open, end, false) : scanQuoted(text, open, style);
  return { start, exported, key, value, end: value.end };
}

/** Offset of what follows `export` and blanks; `start` where there is no `export`. */
function afterExport(text: string, start: number, end: number): number {
  if (!text.startsWith("export", start)) return start;
  const at = skipBlanks(text, start + 6, end);
  return at > start + 6 && at < end && text[at] !== "=" ? at : start;
}

function scanUnquoted(text: string, start: number, end: number, isUnterminated: boolean): RawValue {
  // A `#` begins a comment where a blank stands before it; the character before the value counts.
  const blank = isUnterminated ? -1 : text.slice(start - 1, end).search(/[ \t]#/);
  const comment = blank === -1 ? null : { start: start + blank, end };
  const written = { start, end: skipBlanksBack(text, comment?.start ?? end, start) };
  const value = text.slice(written.start, written.end);
  return { value, quote: "none", written, comment, rest: null, isUnterminated, end };
}

/**
 * A quote that is never closed must not swallow the lines below. It counts as never closed, too, when its closing quote
 * stands on another line and opens an assignment there or has text behind it. The value is then what its line holds,
 * quote included, as qm, node and dotenv read it.
 */
function scanQuoted(text: string, open: number, style: Exclude<QuoteStyle, "none">): RawValue {
  const firstEnd = lineEnd(text, open);
  const close = closingQuote(text, open);
  if (close === -1) return scanUnquoted(text, open, firstEnd, true);
  const end = lineEnd(text, close + 1);
  const behind = skipBlanks(text, close + 1, end);
  const hasRest = behind < end && text[behind] !== "#";
  if (close > firstEnd && (hasRest || opensAssignment(text, close))) return scanUnquoted(text, open, firstEnd, true);
  return {
    value: meaningOf(text.slice(open + 1, close), style),
    quote: style,
    written: { start: open, end: close + 1 },
    comment: behind < end && !hasRest ? { start: behind, end } : null,
    rest: hasRest ? { start: behind, end: skipBlanksBack(text, end, behind) } : null,
    isUnterminated: false,
    end,
  };
}

/** Offset of the quote that closes the one at `open`, or -1. Only double quotes know escapes. */
function closingQuote(text: string, open: number): number {
  const quote = text[open] as string;
  if (quote !== '"') return text.indexOf(quote, open + 1);
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === quote) return at;
    if (text[at] === "\\") at++;
  }
  return -1;
}

/** True when the quote at `at` opens the value of an assignment that stands on its line. */
function opensAssignment(text: string, at: number): boolean {
  return /^[ \t]*(?:export[ \t]+)?[A-Za-z_][A-Za-z0-9_]*[ \t]*=[ \t]*$/.test(text.slice(lineStart(text, at), at));
}

/**
 * What stands between quotes, as it is meant. Line ends become LF. In double quotes `\n`, `\r`, `\"`, `\\` and `\$` are
 * escapes, so that JSON can be written; a backslash before anything else stays, as does every one in other quotes.
 */
export function meaningOf(inner: string, style: QuoteStyle): string {
  const lines = inner.replace(/\r\n?/g, "\n");
  if (style !== "double") return lines;
  return lines.replace(/\\([nr"\\$])/g, (_, unit: string) => (unit === "n" ? "\n" : unit === "r" ? "\r" : unit));
}
