import { isRefusedPath } from "../base/config-path.ts";
import type { JsonValue } from "../base/json.ts";
import { applySplices, type Splice } from "../base/text-edit.ts";
import type { ConfigChange } from "../diagnostics/diagnostic.ts";
import { type Editable, Refusal, stepOf } from "./edit/change.ts";
import { equalValues, expectedValue, isPlainJson } from "./edit/json-value.ts";
import { scanTrivia } from "./edit/list.ts";
import type { Span } from "./node.ts";
import { parseDocument } from "./parse.ts";

export type EditResult = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** Syntax findings that do not keep an editor from knowing what stands where. */
const HARMLESS = new Set(["syntax/duplicate-key", "syntax/proto-key", "syntax/number-range"]);

/** A set of one object is made of sets of its members: so deep at most as a document can be. */
const DEEPEST_SET = 200;

/**
 * Makes changes in a JSONC text, each in what the one before left. Comments, order, layout, line ends and a byte order
 * mark stay; only the lines of the members in question are touched. Nothing is returned that does not read back as the
 * changes say: where that fails, or a path or value is refused, the reason is returned (without values).
 */
export function applyChanges(text: string, changes: readonly ConfigChange[]): EditResult {
  let current = text;
  for (const change of changes) {
    try {
      current = applyOne(current, change, 0);
    } catch (error) {
      if (error instanceof Refusal) return { ok: false, reason: error.message };
      throw error;
    }
  }
  return { ok: true, text: current };
}

function applyOne(text: string, change: ConfigChange, depth: number): string {
  refuseUnsound(change);
  const document = open(text);
  const step = stepOf(document, change);
  if (depth > DEEPEST_SET) throw new Refusal("the value is nested too deeply");
  const result =
    "changes" in step
      ? step.changes.reduce((current, part) => applyOne(current, part, depth + 1), text)
      : applySplices(text, step.splices);
  verify(document, result, change, "changes" in step ? null : step.splices);
  return result;
}

function refuseUnsound(change: ConfigChange): void {
  const names = [...change.path, ...(change.kind === "rename" ? [change.key] : [])];
  if (change.path.length === 0) throw new Refusal("a path must name a key");
  if (isRefusedPath(names)) throw new Refusal("`__proto__`, `constructor` and `prototype` are refused as keys");
  if (names.includes("//")) throw new Refusal('the comment key "//" is not a setting');
  if (change.kind === "set" && !isPlainJson(change.value)) throw new Refusal("the value cannot be written as JSON");
}

function open(text: string): Editable & { readonly value: JsonValue; readonly faults: number } {
  const document = parseDocument({ file: "", text });
  const { root, diagnostics } = document;
  if (root?.kind !== "object" || document.broken || !diagnostics.every(({ rule }) => HARMLESS.has(rule)))
    throw new Refusal("the file has syntax errors: fix them first");
  return { text, root, value: document.value([]) ?? null, faults: diagnostics.length };
}

/** The result is read anew and must hold exactly what the change says, and every comment that was not removed. */
function verify(
  before: ReturnType<typeof open>,
  result: string,
  change: ConfigChange,
  splices: readonly Splice[] | null,
): void {
  const expected = expectedValue(before.value, change);
  if (expected === undefined) throw new Refusal("the change does not fit what stands at that path");
  const after = open(result);
  const holds = equalValues(after.value, expected) && after.faults <= before.faults;
  if (!holds || (splices !== null && !keepsComments(before.text, result, splices)))
    throw new Refusal("the change cannot be made without touching something else; make it by hand");
}

/** True when all comments are still there, in their order, but for those inside what was deleted or replaced. */
function keepsComments(before: string, after: string, splices: readonly Splice[]): boolean {
  const isGone = (comment: Span): boolean =>
    splices.some(({ start, end }) => comment.start >= start && comment.end <= end);
  const kept = scanTrivia(before).comments.filter((comment) => !isGone(comment));
  const now = scanTrivia(after).comments;
  return (
    kept.length === now.length &&
    kept.every(({ start, end }, at) => before.slice(start, end) === after.slice(now[at]?.start, now[at]?.end))
  );
}
