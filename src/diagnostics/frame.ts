import { isPrintable, printable, startsMark } from "../base/printable.ts";
import type { RedactedSpan } from "../base/redacted-span.ts";
import { hiddenSpans, redactedSpans, redactedSpansOfEnvLine, valueEnd } from "../base/redacted-spans.ts";
import { LineIndex, type SourceRange } from "./source.ts";
import { characterWidth, textWidth } from "../base/width.ts";

/** One line of a code frame, ready to print; `marker` says which columns (0-based, of `text`) are underlined. */
export interface FrameLine {
  readonly number: number;
  readonly text: string;
  readonly marker: { readonly start: number; readonly width: number } | null;
}

type Marker = Exclude<FrameLine["marker"], null>;

/** A piece of a line as it is drawn: source columns `[from, to)` and what stands for them. */
interface Cell {
  readonly from: number;
  readonly to: number;
  readonly shown: string;
}

/** What a finding about a secret is about, and what of it is hidden; offsets of the whole text. */
interface Region extends RedactedSpan {
  readonly hidden: readonly RedactedSpan[];
}

const TAB_STOP = 4;
const CONTEXT_LINES = 1;
/** A range over more lines than this is marked on its first line only. */
const MAX_MARKED_LINES = 4;
/** Stands for a hidden value; of one width, so that it does not tell a length. */
const MASK = "•••";
/** Stands for what is left out of a line. */
const CUT = "…";
/** A longer line is drawn only near its marker: nobody has as many columns, and it may be the whole file. */
const LONG_LINE = 4_000;
const NEAR = 1_000;

function cellsOf(line: string, hidden: readonly RedactedSpan[]): Cell[] {
  const cells: Cell[] = [];
  let column = 0;
  let width = 0;
  let next = 0;
  while (column < line.length) {
    const mask = hidden[next];
    let to = column;
    let shown: string;
    if (mask !== undefined && column >= mask.start) {
      to = Math.max(mask.end, column);
      shown = MASK;
      next++;
      if (to === column) continue;
    } else {
      const character = String.fromCodePoint(line.codePointAt(column) as number);
      to = column + character.length;
      if (character === "\t") shown = " ".repeat(TAB_STOP - (width % TAB_STOP));
      else shown = startsMark(line, column) ? "\\x23" : printable(character);
    }
    cells.push({ from: column, to, shown });
    width += textWidth(shown);
    column = to;
  }
  return cells;
}

/** Where the source columns `[start, end)` are drawn. */
function drawn(cells: readonly Cell[], start: number, end: number): Marker {
  let at = 0;
  let from: number | null = null;
  let to = 0;
  for (const cell of cells) {
    const width = textWidth(cell.shown);
    if (cell.to > start && from === null) from = at;
    if (cell.from < end) to = at + width;
    at += width;
  }
  const first = from ?? at;
  return { start: first, width: Math.max(1, to - first) };
}

/** Where they are drawn in a line whose every character has one column. */
function drawnAsIs({ length }: string, start: number, end: number): Marker {
  const first = Math.min(start, length);
  return { start: first, width: Math.max(1, Math.min(end, length) - first) };
}

/** Cuts a line to `limit` columns around its marker, with `…` where something was cut. */
function windowed(line: FrameLine, limit: number): FrameLine {
  if (textWidth(line.text) <= limit) return line;
  const lead = line.marker === null ? 0 : Math.max(0, line.marker.start - Math.floor(limit / 3));
  let text = lead > 0 ? CUT : "";
  let column = 0;
  let width = text.length;
  for (const character of line.text) {
    const cost = characterWidth(character);
    if (column >= lead) {
      if (width + cost > limit - 1) {
        text += CUT;
        break;
      }
      text += character;
      width += cost;
    }
    column += cost;
  }
  if (line.marker === null) return { ...line, text };
  const start = line.marker.start - lead + (lead > 0 ? 1 : 0);
  return { ...line, text, marker: { start, width: Math.max(1, Math.min(line.marker.width, limit - start)) } };
}

/** The first span that ends behind an offset; spans are in order. */
function firstEndingAfter(spans: readonly RedactedSpan[], offset: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as RedactedSpan).end > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A column of a line that does not stand inside a character. */
function edgeAt(line: string, column: number): number {
  const at = Math.min(Math.max(column, 0), line.length);
  const unit = line.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit < 0xe000 ? at - 1 : at;
}

/** A text from which frames are cut. Scans the text once, when the first frame is asked for. */
export class FrameSource {
  readonly #lines: readonly string[];
  readonly #starts: readonly number[];
  readonly #text: string;
  readonly #kind: "env" | "text";
  #hidden: readonly RedactedSpan[] | null = null;

  /** `kind` "env": nothing but names is ever shown. */
  constructor(text: string, kind: "env" | "text") {
    const { starts } = new LineIndex(text);
    this.#lines = starts.map((start, at) => text.slice(start, starts[at + 1]).replace(/(?:\r\n|\r|\n)$/, ""));
    this.#starts = starts;
    this.#text = text;
    this.#kind = kind;
  }

  /** What is hidden of the columns `[from, to)` of a line, counted from `from`. */
  #hiddenOn(index: number, from: number, to: number, about: Region | null): RedactedSpan[] {
    const start = (this.#kind === "env" ? 0 : (this.#starts[index] as number)) + from;
    const end = start + to - from;
    const spans = this.#spans(index);
    const hidden: RedactedSpan[] =
      about === null ? [] : about.hidden.filter((span) => span.end > start && span.start < end);
    for (let at = firstEndingAfter(spans, start); at < spans.length && (spans[at] as RedactedSpan).start < end; at++) {
      const span = spans[at] as RedactedSpan;
      if (about === null || span.start < about.start || span.end > about.end) hidden.push(span);
    }
    return hidden
      .sort((a, b) => a.start - b.start)
      .map((span) => ({ start: Math.max(0, span.start - start), end: Math.min(to - from, span.end - start) }));
  }

  /** In order, and apart: of the line alone for an env file, else of the whole text. */
  #spans(index: number): readonly RedactedSpan[] {
    if (this.#kind === "env") return redactedSpansOfEnvLine(this.#lines[index] as string);
    return (this.#hidden ??= hiddenSpans(this.#text));
  }

  /** What a finding about a secret is about, of which no value is shown but those that its own message shows. */
  #region({ start, end }: SourceRange, message: string): Region {
    const to = Math.max(end.offset, valueEnd(this.#text, start.offset));
    const isShown = (value: string): boolean => value !== "" && message.includes(`\`${value}\``);
    const hidden = redactedSpans(this.#text.slice(start.offset, to), isShown);
    return {
      start: start.offset,
      end: to,
      hidden: hidden.map((span) => ({ start: span.start + start.offset, end: span.end + start.offset })),
    };
  }

  /** A line as it is drawn, and where its columns `[start, end)` are; of a very long one no more than what is near them. */
  #draw(index: number, start: number, end: number, about: Region | null): { text: string; marker: Marker } {
    const source = this.#lines[index] as string;
    const from = source.length > LONG_LINE ? edgeAt(source, start - NEAR) : 0;
    const to = source.length > LONG_LINE ? edgeAt(source, start + 2 * NEAR) : source.length;
    const piece = source.slice(from, to);
    const hidden = this.#hiddenOn(index, from, to, about);
    // Nearly every line is drawn as it stands.
    if (piece.length === source.length && hidden.length === 0 && isPrintable(source))
      return { text: source, marker: drawnAsIs(source, start, end) };
    const cells = cellsOf(piece, hidden);
    if (from > 0) cells.unshift({ from: 0, to: 0, shown: CUT });
    if (to < source.length) cells.push({ from: piece.length, to: piece.length, shown: CUT });
    return {
      text: cells.map((cell) => cell.shown).join(""),
      marker: drawn(cells, start - from, Math.min(end, to) - from),
    };
  }

  /** The lines around a range. `secret`: the message of a finding about a secret, whose values are shown only where it shows them itself. */
  frame(range: SourceRange, secret: string | null, columns: number): FrameLine[] {
    const about = secret === null || this.#kind === "env" ? null : this.#region(range, secret);
    const first = range.start.line;
    const last = range.end.line - first > MAX_MARKED_LINES ? first : range.end.line;
    const context = this.#kind === "env" ? 0 : CONTEXT_LINES;
    const lines: FrameLine[] = [];
    for (let number = Math.max(1, first - context); number <= Math.min(this.#lines.length, last + context); number++) {
      const source = this.#lines[number - 1] as string;
      const start = number === first ? range.start.column - 1 : source.length - source.trimStart().length;
      const end = number === range.end.line ? range.end.column - 1 : source.length;
      const isMarked = number >= first && number <= last && (number === first || end > start);
      const { text, marker } = this.#draw(number - 1, start, end, about);
      lines.push(windowed({ number, text, marker: isMarked ? marker : null }, columns));
    }
    return lines;
  }
}
