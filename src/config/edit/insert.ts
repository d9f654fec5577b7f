import type { Splice } from "../../base/text-edit.ts";
import { type Entry, hasBreak, indentOf, isFirstOnLine, type List, trailingComments } from "./list.ts";
import type { Style } from "./print.ts";

/** Prints a new entry for a line of the given indentation, or for one line when that is null. */
export type PrintEntry = (indent: string | null) => string;

/** The splices that put entries at the end of a list, in the layout of the list. */
export function insertLast(text: string, list: List, style: Style, entries: readonly PrintEntry[]): Splice[] {
  const last = list.entries.at(-1);
  const print: PrintEntry = (indent) =>
    entries.map((entry) => entry(indent)).join(indent === null ? `,${style.space}` : `,${style.eol}${indent}`);
  return last === undefined ? insertOnly(text, list, style, print) : insertAfter(text, list, last, style, print);
}

/** The splices that put an entry behind another one. */
export function insertAfter(text: string, list: List, last: Entry, style: Style, print: PrintEntry): Splice[] {
  const beforeComma = trailingComments(text, list, last.end, last.comma ?? list.end);
  const afterComma = last.comma === null ? [] : trailingComments(text, list, last.comma + 1, list.end);
  const at = afterComma.at(-1)?.end ?? (last.comma === null ? (beforeComma.at(-1)?.end ?? last.end) : last.comma + 1);
  const isOwnLine = isFirstOnLine(text, last.start);
  if (!isOwnLine && ![...beforeComma, ...afterComma].some(({ kind }) => kind === "line")) {
    // Behind a comment that belongs to the last entry, so that it does not come to stand before the new one.
    const entry = style.space + print(null);
    return [{ start: at, end: at, text: last.comma === null ? `,${entry}` : `${entry},` }];
  }
  const indent = isOwnLine ? indentOf(text, last.start) : indentOf(text, list.start) + style.unit;
  const line = style.eol + indent + print(indent);
  if (last.comma !== null) return [{ start: at, end: at, text: `${line},` }];
  return [
    { start: last.end, end: last.end, text: "," },
    { start: at, end: at, text: line },
  ];
}

function insertOnly(text: string, list: List, style: Style, print: PrintEntry): Splice[] {
  const child = indentOf(text, list.start) + style.unit;
  const comment = list.comments.at(-1);
  if (comment === undefined) {
    if (hasBreak(text.slice(list.start, list.end)))
      return [{ start: list.start, end: list.start, text: style.eol + child + print(child) }];
    const pad = text[list.end] === "}" ? style.space : "";
    return [{ start: list.start, end: list.end, text: pad + print(null) + pad }];
  }
  if (!hasBreak(text.slice(comment.end, list.end)))
    return [{ start: comment.end, end: comment.end, text: ` ${print(null)}` }];
  const indent = isFirstOnLine(text, comment.start) ? indentOf(text, comment.start) : child;
  return [{ start: comment.end, end: comment.end, text: style.eol + indent + print(indent) }];
}
