import { afterLineBreak, lineEnd, lineStart, skipBlanks, skipBlanksBack, type Splice } from "../../base/text-edit.ts";
import { type Entry, hasBreak, isFirstOnLine, type List, trailingComments } from "./list.ts";

/**
 * The splices that take an entry out of a list with what belongs to it: the comments right above it, those behind it on
 * its line, and one comma. All of them only delete.
 */
export function removeEntry(text: string, list: List, index: number): Splice[] {
  const entry = list.entries[index] as Entry;
  const previous = list.entries[index - 1];
  const next = list.entries[index + 1];
  const start = ownStart(text, list, entry, previous);
  const end = ownEnd(text, list, entry, next);
  const splices: Splice[] = [{ ...tidy(text, list, start, end), text: "" }];
  if (entry.comma !== null && entry.comma >= end) splices.push(deleteComma(text, entry.comma));
  // Without a trailing comma before, there is none after.
  if (next === undefined && entry.comma === null && typeof previous?.comma === "number")
    splices.push({ start: previous.comma, end: previous.comma + 1, text: "" });
  return splices;
}

/** Where the entry begins, comments of its own included. */
function ownStart(text: string, list: List, entry: Entry, previous: Entry | undefined): number {
  const from = previous === undefined ? list.start : Math.max(previous.end, (previous.comma ?? previous.end - 1) + 1);
  const above = list.comments.filter((comment) => comment.start >= from && comment.end <= entry.start);
  let start = entry.start;
  for (const comment of above.reverse()) {
    const gap = text.slice(comment.end, start);
    const breaks = gap.match(/\r\n|\n|\r/g)?.length ?? 0;
    // A comment above is the entry's own only when it has its line for itself: behind something it belongs to that.
    const isOnOwnLine = isFirstOnLine(text, comment.start) && isFirstOnLine(text, start);
    if (breaks > 1 || (breaks === 1 && !isOnOwnLine)) break;
    start = comment.start;
  }
  return start;
}

/** Where the entry ends, its comma and comments of its own included. */
function ownEnd(text: string, list: List, entry: Entry, next: Entry | undefined): number {
  const before = trailingComments(text, list, entry.end, entry.comma ?? list.end);
  let end = before.at(-1)?.end ?? entry.end;
  if (entry.comma === null || hasBreak(text.slice(end, entry.comma))) return end;
  end = entry.comma + 1;
  const after = trailingComments(text, list, end, next?.start ?? list.end);
  const last = after.at(-1);
  // Between two entries on one line a comment belongs to the one it stands before.
  const isNextOnLine = next !== undefined && !hasBreak(text.slice(last?.end ?? end, next.start));
  return last === undefined || isNextOnLine ? end : last.end;
}

/** Widens a stretch over the spaces that would be left over, or over its whole lines when nothing else is on them. */
function tidy(text: string, list: List, start: number, end: number): { start: number; end: number } {
  const left = skipBlanksBack(text, start, list.start);
  const right = skipBlanks(text, end, list.end);
  const isLineStart = isFirstOnLine(text, start) && lineStart(text, start) >= list.start;
  if (isLineStart && right === lineEnd(text, end))
    return { start: lineStart(text, start), end: afterLineBreak(text, right) };
  if (isLineStart) return { start, end: right === list.end ? end : right };
  const isLast = right === list.end || right === lineEnd(text, end);
  return isLast ? { start: left, end: right === list.end && left === list.start ? right : end } : { start, end: right };
}

function deleteComma(text: string, comma: number): Splice {
  return { start: comma, end: skipBlanks(text, comma + 1), text: "" };
}
