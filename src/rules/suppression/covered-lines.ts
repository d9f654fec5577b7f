import type { Span } from "../../config/node.ts";
import type { LineIndex } from "../../diagnostics/source.ts";

/**
 * The line that each comment of a text is about, 1-based: its own where something else stands there too; else the one right
 * below, where comments may stack; null where that is blank or there is none. `comments` are in text order. Linear time.
 */
export function coveredLines(text: string, comments: readonly Span[], lines: LineIndex): (number | null)[] {
  const at = comments.map(({ start, end }) => ({ first: lineOf(lines, start), last: lineOf(lines, end) }));
  const startsLine = comments.map(() => false);
  for (const [index, { start }] of comments.entries()) {
    const { first } = at[index] as (typeof at)[number];
    const before = at[index - 1];
    const isNext = before?.last === first;
    const from = isNext ? (comments[index - 1] as Span).end : (lines.starts[first - 1] as number);
    const isFree = !isNext || before?.first !== first || (startsLine[index - 1] as boolean);
    startsLine[index] = isFree && isBlank(text.slice(from, start));
  }
  const covered: (number | null)[] = comments.map(() => null);
  for (let index = comments.length - 1; index >= 0; index--) {
    const { first, last } = at[index] as (typeof at)[number];
    const next = at[index + 1];
    const lineEnd = lines.starts[last] ?? text.length;
    const behind = text.slice((comments[index] as Span).end, Math.min(lineEnd, comments[index + 1]?.start ?? lineEnd));
    if (startsLine[index] === false) covered[index] = first;
    else if (!isBlank(behind)) covered[index] = last;
    else if (next?.first === last || (next?.first === last + 1 && startsLine[index + 1] === true))
      covered[index] = covered[index + 1] as number | null;
    else covered[index] = isBlankLine(text, lines, last + 1) ? null : last + 1;
  }
  return covered;
}

function lineOf(lines: LineIndex, offset: number): number {
  return lines.position(offset).line;
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

function isBlankLine(text: string, { starts }: LineIndex, line: number): boolean {
  const start = starts[line - 1];
  return start === undefined || isBlank(text.slice(start, starts[line] ?? text.length));
}
