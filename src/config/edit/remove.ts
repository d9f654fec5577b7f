import { afterLineBreak, isBreak, lineStart, skipBlanks, skipBlanksBack, type Splice } from "../../base/text-edit.ts";
import type { Span } from "../node.ts";
import { commentedKey } from "./commented-member.ts";
import { type Entry, hasBreak, isFirstOnLine, type List, trailingComments } from "./list.ts";
import { type Comment, firstFrom } from "../trivia.ts";

/**
 * The splices that take entries out of a list with what belongs to them: the comments right above each, up to a member that is
 * commented out, those behind it on its line, and one comma. All of them only delete. `isRemoved` is asked for the index of every entry.
 */
export function removeEntries(text: string, list: List, isRemoved: (index: number) => boolean): Splice[] {
  const splices: Splice[] = [];
  let stretch: Span | null = null;
  let kept: Entry | undefined;
  for (const [index, entry] of list.entries.entries()) {
    if (!isRemoved(index)) {
      kept = entry;
      continue;
    }
    const own = ownStretch(text, list, index);
    if (entry.comma !== null && entry.comma >= own.end) splices.push(deleteComma(text, entry.comma));
    // Neighbours on one line go together, with the line where it is all theirs.
    if (stretch !== null && skipBlanks(text, stretch.end) === own.start)
      stretch = { start: stretch.start, end: own.end };
    else {
      if (stretch !== null) splices.push(deletion(text, list, stretch));
      stretch = own;
    }
  }
  if (stretch !== null) splices.push(deletion(text, list, stretch));
  // Without a trailing comma before, there is none after.
  const last = list.entries.at(-1);
  if (last !== kept && last?.comma === null && typeof kept?.comma === "number")
    splices.push({ start: kept.comma, end: kept.comma + 1, text: "" });
  return splices;
}

/** An entry with its comma and the comments of its own. */
function ownStretch(text: string, list: List, index: number): Span {
  const entry = list.entries[index] as Entry;
  return {
    start: ownStart(text, list, entry, list.entries[index - 1]),
    end: ownEnd(text, list, entry, list.entries[index + 1]),
  };
}

/** Where the entry begins, comments of its own included. */
function ownStart(text: string, list: List, entry: Entry, previous: Entry | undefined): number {
  const from = previous === undefined ? list.start : Math.max(previous.end, (previous.comma ?? previous.end - 1) + 1);
  let start = entry.start;
  for (let at = firstFrom(list.comments, entry.start) - 1; at >= 0; at--) {
    const comment = list.comments[at] as Comment;
    if (comment.start < from) break;
    const gap = text.slice(comment.end, start);
    const breaks = gap.match(/\r\n|\n|\r/g)?.length ?? 0;
    // A comment above is the entry's own only when it has its line for itself: behind something it belongs to that.
    const isOnOwnLine = isFirstOnLine(text, comment.start) && isFirstOnLine(text, start);
    if (breaks > 1 || (breaks === 1 && !isOnOwnLine)) break;
    // What is commented out waits to be put in, whatever stands below it.
    if (breaks === 1 && commentedKey(text.slice(comment.start, comment.end)) !== null) break;
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

/** Deletes a stretch with the spaces that would be left over, or with its whole lines when nothing else is on them. */
export function deletion(text: string, list: Span, { start, end }: Span): Splice {
  const left = skipBlanksBack(text, start, list.start);
  const right = skipBlanks(text, end, list.end);
  const isLineStart = isFirstOnLine(text, start) && lineStart(text, start) >= list.start;
  const isLineEnd = right === text.length || isBreak(text.charCodeAt(right));
  if (isLineStart && isLineEnd) return { start: lineStart(text, start), end: afterLineBreak(text, right), text: "" };
  if (isLineStart) return { start, end: right === list.end ? end : right, text: "" };
  if (right !== list.end && !isLineEnd) return { start, end: right, text: "" };
  return { start: left, end: right === list.end && left === list.start ? right : end, text: "" };
}

function deleteComma(text: string, comma: number): Splice {
  return { start: comma, end: skipBlanks(text, comma + 1), text: "" };
}
