import { isBreak, lineStart } from "../../base/text-edit.ts";
import type { ConfigNode, Span } from "../node.ts";
import { type Comment, firstFrom, spansIn, type Trivia } from "../trivia.ts";

/** A member of an object or an item of an array, with the offset of the comma after it. */
export interface Entry extends Span {
  readonly comma: number | null;
}

/** An object or array as an edit sees it: what stands between its brackets. */
export interface List {
  /** After the opening bracket. */
  readonly start: number;
  /** Before the closing bracket. */
  readonly end: number;
  readonly entries: readonly Entry[];
  /** Comments between the entries, not inside them. */
  readonly comments: readonly Comment[];
}

export type ListNode = Extract<ConfigNode, { kind: "object" | "array" }>;

export function listOf(trivia: Trivia, node: ListNode): List {
  const spans: readonly Span[] =
    node.kind === "array"
      ? node.items
      : node.members.map(({ keySpan, value }) => ({ start: keySpan.start, end: value?.end ?? keySpan.end }));
  const start = node.start + 1;
  const end = node.end - 1;
  const entries = spans.map((span, at): Entry => {
    const comma = trivia.commas[firstFrom(trivia.commas, span.end)]?.start;
    return { ...span, comma: comma !== undefined && comma < (spans[at + 1]?.start ?? end) ? comma : null };
  });
  const isInside = ({ start: at }: Comment): boolean => at < (spans[firstFrom(spans, at + 1) - 1]?.end ?? 0);
  const comments = spansIn(trivia.comments, start, end).filter((comment) => !isInside(comment));
  return { start, end, entries, comments };
}

/** Comments that begin at or after `from` on its line, in one run that only spaces interrupt; ends before `until`. */
export function trailingComments(text: string, list: List, from: number, until: number): readonly Comment[] {
  const run: Comment[] = [];
  let end = from;
  for (let at = firstFrom(list.comments, from); at < list.comments.length; at++) {
    const comment = list.comments[at] as Comment;
    if (comment.start >= until || !/^[^\S\r\n]*$/.test(text.slice(end, comment.start))) break;
    run.push(comment);
    end = comment.end;
  }
  return run;
}

export function hasBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}

/** True when nothing but spaces stands before an offset on its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  let at = offset;
  // A line may be as long as the text: no further back than there are spaces.
  while (at > 0 && !isBreak(text.charCodeAt(at - 1)) && text.charAt(at - 1).trim() === "") at--;
  return at === 0 || isBreak(text.charCodeAt(at - 1));
}

/** The spaces that the line of an offset begins with. */
export function indentOf(text: string, offset: number): string {
  return /^\ufeff?([ \t]*)/.exec(text.slice(lineStart(text, offset), offset))?.[1] ?? "";
}
