import { isRefusedPath } from "../base/config-path.ts";
import { applySplices, type Splice } from "../base/text-edit.ts";
import type { CommentChange, ConfigChange, ValueChange } from "../diagnostics/diagnostic.ts";
import { commentSplices } from "./edit/comments.ts";
import { partsOf, splicesOf } from "./edit/change.ts";
import { type Editable, open, Refusal } from "./edit/editable.ts";
import { ChangeRun, isCommentChange } from "./edit/independence.ts";
import { equalValues, expectedValue, isPlainJson } from "./edit/json-value.ts";
import type { Comment } from "./trivia.ts";

export type EditResult = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** A set of one object is made of sets of its members: so deep at most as a document can be. */
const DEEPEST_SET = 200;

/**
 * Makes changes in a JSONC text, each in what the one before left. Comments, order, layout, line ends and a byte order
 * mark stay; only the lines of the members in question are touched. Nothing is returned that does not read back as the
 * changes say: where that fails, or a path or value is refused, the reason is returned (without values).
 */
export function applyChanges(text: string, changes: readonly ConfigChange[]): EditResult {
  try {
    return { ok: true, text: applyAll(open(text), changes).text };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, reason: error.message };
    throw error;
  }
}

/** Stretches of changes of comments, and of values. */
function applyAll(start: Editable, changes: readonly ConfigChange[]): Editable {
  let doc = start;
  for (let at = 0; at < changes.length;) {
    const isComment = isCommentChange(changes[at] as ConfigChange);
    const next = changes.findIndex((change, index) => index > at && isCommentChange(change) !== isComment);
    const run = changes.slice(at, next === -1 ? undefined : next);
    doc = isComment ? rewriteComments(doc, run as CommentChange[]) : applyInOrder(doc, run as ValueChange[], 0);
    at += run.length;
  }
  return doc;
}

/** Made together where each stands before the one that came first, as offsets hold then. */
function rewriteComments(doc: Editable, changes: readonly CommentChange[]): Editable {
  const isBackwards = changes.every(({ end }, at) => at === 0 || end <= (changes[at - 1] as CommentChange).start);
  if (!isBackwards) return changes.reduce((before, change) => rewriteComments(before, [change]), doc);
  const changed = open(applySplices(doc.text, commentSplices(doc, changes)));
  verify(doc, changed, []);
  return changed;
}

/** Changes that follow each other and are independent are made together: the text is read once for all of them. */
function applyInOrder(start: Editable, changes: readonly ValueChange[], depth: number): Editable {
  if (depth > DEEPEST_SET) throw new Refusal("the value is nested too deeply");
  let doc = start;
  let run = new ChangeRun();
  const finishRun = (): void => {
    if (run.changes.length > 0) doc = applyTogether(doc, run.changes);
    run = new ChangeRun();
  };
  for (const change of changes) {
    refuseUnsound(change);
    if (!run.take(change)) {
      finishRun();
      run.take(change);
    }
    const parts = partsOf(doc, change);
    if (parts === null) continue;
    run.changes.pop();
    finishRun();
    const changed = applyInOrder(doc, parts, depth + 1);
    verify(doc, changed, [change]);
    doc = changed;
  }
  finishRun();
  return doc;
}

function applyTogether(doc: Editable, changes: readonly ValueChange[]): Editable {
  const planned = splicesOf(doc, changes);
  if (planned === null) return changes.reduce((before, change) => applyTogether(before, [change]), doc);
  const splices = planned.sort((a, b) => a.start - b.start);
  const changed = open(applySplices(doc.text, splices));
  verify(doc, changed, changes);
  if (!keepsComments(doc, changed, splices)) throw new Refusal(TOUCHES_MORE);
  return changed;
}

function refuseUnsound(change: ValueChange): void {
  const names = [...change.path, ...(change.kind === "rename" ? [change.key] : [])];
  if (change.path.length === 0) throw new Refusal("a path must name a key");
  if (isRefusedPath(names)) throw new Refusal("`__proto__`, `constructor` and `prototype` are refused as keys");
  if (names.includes("//")) throw new Refusal('the comment key "//" is not a setting');
  if (change.kind === "set" && !isPlainJson(change.value)) throw new Refusal("the value cannot be written as JSON");
}

const TOUCHES_MORE = "the change cannot be made without touching something else; make it by hand";

/** The result was read anew and must hold exactly what the changes say. */
function verify(before: Editable, after: Editable, changes: readonly ValueChange[]): void {
  const expected = expectedValue(before.value, changes);
  if (expected === undefined) throw new Refusal("the change does not fit what stands at that path");
  const hasNewFaults = after.document.diagnostics.length > before.document.diagnostics.length;
  if (hasNewFaults || !equalValues(after.value, expected)) throw new Refusal(TOUCHES_MORE);
}

/** True when all comments are still there, in their order, but for those inside what was deleted or replaced; `splices` are sorted. */
function keepsComments(before: Editable, after: Editable, splices: readonly Splice[]): boolean {
  let reached = 0;
  let next = 0;
  const isKept = (comment: Comment): boolean => {
    for (; next < splices.length && (splices[next] as Splice).start <= comment.start; next++)
      reached = Math.max(reached, (splices[next] as Splice).end);
    return comment.end > reached;
  };
  const kept = before.trivia.comments.filter(isKept);
  const now = after.trivia.comments;
  return (
    kept.length === now.length &&
    kept.every(({ start, end }, at) => before.text.slice(start, end) === after.text.slice(now[at]?.start, now[at]?.end))
  );
}
