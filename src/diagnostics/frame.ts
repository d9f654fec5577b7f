import { isPrintable } from "../base/printable.ts";
import { mergedSpans, type RedactedSpan } from "../base/redacted-span.ts";
import { hiddenSpans, redactedSpansOfEnvLine, valueEnd } from "../base/redacted-spans.ts";
import { LineIndex, type SourceRange } from "./source.ts";
import { textWidth } from "../base/width.ts";
import { cellsOf, CUT, drawn, drawnAsIs, type FrameLine, type Marker, windowed } from "./frame-line.ts";

/** A stretch that a frame shows. */
export interface FrameMark {
  readonly range: SourceRange;
  /** Stands behind its underline; null: nothing does. */
  readonly label: string | null;
}

/** Source columns of a line that are underlined; the rest as in {@link FrameMarker}. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly mark: number;
  label: string | null;
}

/** What a finding about a secret is about, and what of it is hidden; offsets of the whole text. */
interface Region extends RedactedSpan {
  readonly hidden: readonly RedactedSpan[];
  /** True for a value that the finding's own message shows. */
  readonly isShown: (value: string) => boolean;
}

const CONTEXT_LINES = 1;
/** A range over more lines than this is marked on its first line only. */
const MAX_MARKED_LINES = 4;
/** A longer line is drawn only near its marker: nobody has as many columns, and it may be the whole file. */
const LONG_LINE = 4_000;
const NEAR = 1_000;

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
  #hiddenOn(index: number, from: number, to: number, about: readonly Region[]): RedactedSpan[] {
    const start = (this.#kind === "env" ? 0 : (this.#starts[index] as number)) + from;
    const end = start + to - from;
    const spans = this.#spans(index);
    const hidden: RedactedSpan[] = about.flatMap((region) =>
      region.hidden.filter((span) => span.end > start && span.start < end),
    );
    for (let at = firstEndingAfter(spans, start); at < spans.length && (spans[at] as RedactedSpan).start < end; at++) {
      const span = spans[at] as RedactedSpan;
      const isShown = about.some(
        (region) =>
          span.start >= region.start &&
          span.end <= region.end &&
          region.isShown(this.#text.slice(span.start, span.end)),
      );
      if (!isShown) hidden.push(span);
    }
    return mergedSpans(hidden).map((span) => ({
      start: Math.max(0, span.start - start),
      end: Math.min(to - from, span.end - start),
    }));
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
    const hidden = hiddenSpans(this.#text.slice(start.offset, to), isShown);
    return {
      start: start.offset,
      end: to,
      isShown,
      hidden: hidden.map((span) => ({ start: span.start + start.offset, end: span.end + start.offset })),
    };
  }

  /** A line as it is drawn, and where its spans are; of a very long one no more than what is near the first. */
  #draw(index: number, spans: readonly Span[], about: readonly Region[]): FrameLine {
    const source = this.#lines[index] as string;
    const first = spans[0]?.start ?? 0;
    const from = source.length > LONG_LINE ? edgeAt(source, first - NEAR) : 0;
    const to = source.length > LONG_LINE ? edgeAt(source, first + 2 * NEAR) : source.length;
    const piece = source.slice(from, to);
    const hidden = this.#hiddenOn(index, from, to, about);
    const line = (text: string, place: (span: Span) => Marker): FrameLine => {
      const markers = spans.map((span) => ({ ...place(span), mark: span.mark, label: span.label }));
      return { number: index + 1, text, markers };
    };
    // Nearly every line is drawn as it stands.
    if (piece.length === source.length && hidden.length === 0 && isPrintable(source))
      return line(source, ({ start, end }) => drawnAsIs(source, start, end));
    const cells = cellsOf(piece, hidden);
    if (from > 0) cells.unshift({ from: 0, to: 0, shown: CUT });
    if (to < source.length) cells.push({ from: piece.length, to: piece.length, shown: CUT });
    return line(cells.map((cell) => cell.shown).join(""), ({ start, end }) =>
      drawn(cells, start - from, Math.min(end, to) - from),
    );
  }

  /** What is underlined of each line that is shown, by its number. */
  #spansByLine(marks: readonly FrameMark[]): Map<number, Span[]> {
    const context = this.#kind === "env" ? 0 : CONTEXT_LINES;
    const shown = new Map<number, Span[]>();
    for (const [mark, { range, label }] of marks.entries()) {
      const { start: from, end: to } = range;
      const last = to.line - from.line > MAX_MARKED_LINES ? from.line : to.line;
      let underlined: Span | undefined;
      for (let number = Math.max(1, from.line - context); number <= last + context; number++) {
        const source = this.#lines[number - 1];
        if (source === undefined) break;
        const spans = shown.get(number) ?? [];
        shown.set(number, spans);
        const start = number === from.line ? from.column - 1 : source.length - source.trimStart().length;
        const end = number === to.line ? to.column - 1 : source.length;
        if (number < from.line || number > last || (number > from.line && end <= start)) continue;
        underlined = { start, end, mark, label: null };
        spans.push(underlined);
      }
      if (underlined !== undefined) underlined.label = label;
    }
    return shown;
  }

  /**
   * The lines around some marks, in order; where numbers are left out, so are lines. `secret`: the message of a finding about a
   * secret, whose values are shown only where it shows them itself.
   */
  frame(marks: readonly FrameMark[], secret: string | null, columns: number): FrameLine[] {
    const hides = secret !== null && this.#kind !== "env";
    const about = hides ? marks.map(({ range }) => this.#region(range, secret)) : [];
    const shown = [...this.#spansByLine(marks)].sort(([a], [b]) => a - b);
    return shown.flatMap(([number, spans]) => {
      const line = this.#draw(number - 1, spans, about);
      const isWhole = spans.length < 2 || (this.#lines[number - 1] as string).length <= LONG_LINE;
      if (spans.length < 2 || (isWhole && textWidth(line.text) <= columns)) return [windowed(line, columns)];
      // Each is shown where it is, in a piece of its own.
      return spans.map((span) => windowed(this.#draw(number - 1, [span], about), columns));
    });
  }
}
