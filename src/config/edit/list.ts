import type { ConfigNode, Span } from "../node.ts";
import { hasBreak, type Comment, type Trivia } from "./trivia.ts";

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

export function listOf(node: ListNode, trivia: Trivia): List {
  const spans: Span[] =
    node.kind === "array"
      ? [...node.items]
      : node.members.map(({ keySpan, value }) => ({ start: keySpan.start, end: value?.end ?? keySpan.end }));
  const start = node.start + 1;
  const end = node.end - 1;
  const within = (at: number): boolean => at >= start && at < end;
  const commas = trivia.commas.filter(within);
  const entries = spans.map((span, at): Entry => {
    const next = spans[at + 1]?.start ?? end;
    return {
      start: span.start,
      end: span.end,
      comma: commas.find((comma) => comma >= span.end && comma < next) ?? null,
    };
  });
  const comments = trivia.comments.filter(
    (comment) =>
      within(comment.start) && !spans.some((span) => comment.start >= span.start && comment.start < span.end),
  );
  return { start, end, entries, comments };
}

/** Comments that begin at or after `from` on its line, in one run that only spaces interrupt; ends before `until`. */
export function trailingComments(text: string, list: List, from: number, until: number): readonly Comment[] {
  const run: Comment[] = [];
  let at = from;
  for (const comment of list.comments) {
    if (comment.start < from || comment.start >= until) continue;
    if (text.slice(at, comment.start).trim() !== "" || hasBreak(text.slice(at, comment.start))) break;
    run.push(comment);
    at = comment.end;
  }
  return run;
}
