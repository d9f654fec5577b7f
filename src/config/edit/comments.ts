import type { Splice } from "../../base/text-edit.ts";
import type { CommentChange } from "../../diagnostics/diagnostic.ts";
import { type Editable, Refusal } from "./editable.ts";
import { deletion } from "./remove.ts";
import { firstFrom } from "../trivia.ts";

/** The splices that make other comments of some, or take them out: with their line where nothing else stands on it. */
export function commentSplices({ text, trivia }: Editable, changes: readonly CommentChange[]): Splice[] {
  const whole = { start: text.startsWith("\ufeff") ? 1 : 0, end: text.length };
  return changes.map((change) => {
    const comment = trivia.comments[firstFrom(trivia.comments, change.start)];
    if (comment === undefined || comment.start !== change.start || comment.end !== change.end)
      throw new Refusal("no comment stands there");
    if (change.text === "") return deletion(text, whole, comment);
    const isSame = comment.kind === "line" ? /^\/\/[^\r\n]*$/ : /^\/\*(?:[^*]|\*(?!\/))*\*\/$/;
    if (!isSame.test(change.text)) throw new Refusal("a comment can only become one of its own kind");
    return { start: comment.start, end: comment.end, text: change.text };
  });
}
