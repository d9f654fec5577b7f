import type { Span } from "../node.ts";
import type { Splice } from "./splice.ts";
import { scanTrivia } from "./trivia.ts";

/**
 * True when all comments are still there, in their order, but for those inside what was deleted or replaced. Counts on
 * nothing that made the splices: it reads both texts anew.
 */
export function keepsComments(before: string, after: string, splices: readonly Splice[]): boolean {
  const gone = (comment: Span): boolean =>
    splices.some(({ start, end }) => comment.start >= start && comment.end <= end);
  const kept = scanTrivia(before)
    .comments.filter((comment) => !gone(comment))
    .map(({ start, end }) => before.slice(start, end));
  const now = scanTrivia(after).comments.map(({ start, end }) => after.slice(start, end));
  return kept.length === now.length && kept.every((text, at) => text === now[at]);
}
