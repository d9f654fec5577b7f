import type { Splice } from "../../base/text-edit.ts";
import { indentOf, isFirstOnLine, type List, type ListNode } from "./list.ts";
import { commentedKey } from "./commented-member.ts";
import { insertAfter, type PrintEntry } from "./insert.ts";
import type { Style } from "./print.ts";

/** What comes before the first `_` of an environment name: names of one family belong together. */
const FAMILY = /^[A-Z][A-Z0-9]*_/;

/**
 * The splices that put one member of an object where a reader looks for it: in the place of a comment that holds the
 * same key with another value, else behind the last member of its family. Null where there is neither.
 */
export function insertBeside(
  text: string,
  node: ListNode,
  list: List,
  style: Style,
  key: string,
  print: PrintEntry,
): Splice[] | null {
  if (node.kind !== "object") return null;
  const comment = list.comments.find(
    ({ start, end, kind }) =>
      kind === "line" && isFirstOnLine(text, start) && commentedKey(text.slice(start, end)) === key,
  );
  if (comment !== undefined) return inPlaceOf(text, list, comment, print);
  const family = FAMILY.exec(key)?.[0];
  if (family === undefined) return null;
  const last = node.members.findLastIndex((member) => member.key.startsWith(family));
  const entry = list.entries[last];
  return entry === undefined || last === list.entries.length - 1 ? null : insertAfter(text, list, entry, style, print);
}

function inPlaceOf(
  text: string,
  list: List,
  comment: { readonly start: number; readonly end: number },
  print: PrintEntry,
): Splice[] {
  const before = list.entries.findLast(({ end }) => end <= comment.start);
  const isLast = before === list.entries.at(-1);
  const needsComma = !isLast || (before !== undefined && before.comma !== null);
  const { start, end } = comment;
  const member = { start, end, text: print(indentOf(text, start)) + (needsComma ? "," : "") };
  const isOpen = before !== undefined && before.comma === null;
  return isOpen ? [{ start: before.end, end: before.end, text: "," }, member] : [member];
}
