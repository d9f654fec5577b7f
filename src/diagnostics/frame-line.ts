import { printable, startsMark } from "../base/printable.ts";
import type { RedactedSpan } from "../base/redacted-span.ts";
import { characterWidth, textWidth } from "../base/width.ts";

/** Columns of a drawn line, 0-based. */
export interface Marker {
  readonly start: number;
  readonly width: number;
}

/** An underline: `mark` says of which mark, in the order in which they were given; `label` stands behind its last one. */
export interface FrameMarker extends Marker {
  readonly mark: number;
  readonly label: string | null;
}

/** One line of a code frame, ready to print, with what is underlined in it. */
export interface FrameLine {
  readonly number: number;
  readonly text: string;
  readonly markers: readonly FrameMarker[];
}

/** A piece of a line as it is drawn: source columns `[from, to)` and what stands for them. */
export interface Cell {
  readonly from: number;
  readonly to: number;
  readonly shown: string;
}

const TAB_STOP = 4;
/** Stands for a hidden value; of one width, so that it does not tell a length. */
const MASK = "•••";
/** Stands for what is left out of a line. */
export const CUT = "…";

/** A line in pieces, what is hidden as one each. */
export function cellsOf(line: string, hidden: readonly RedactedSpan[]): Cell[] {
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
export function drawn(cells: readonly Cell[], start: number, end: number): Marker {
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
export function drawnAsIs({ length }: string, start: number, end: number): Marker {
  const first = Math.min(start, length);
  return { start: first, width: Math.max(1, Math.min(end, length) - first) };
}

/** Cuts a line to `limit` columns around its first marker, with `…` where something was cut. */
export function windowed(line: FrameLine, limit: number): FrameLine {
  if (textWidth(line.text) <= limit) return line;
  const marker = line.markers[0];
  const lead = marker === undefined ? 0 : Math.max(0, marker.start - Math.floor(limit / 3));
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
  if (marker === undefined) return { ...line, text };
  const start = marker.start - lead + (lead > 0 ? 1 : 0);
  return { ...line, text, markers: [{ ...marker, start, width: Math.max(1, Math.min(marker.width, limit - start)) }] };
}
