import type { JsonValue } from "../../base/json.ts";
import type { ConfigNode } from "../node.ts";
import { hasBreak, indentOf, isFirstOnLine } from "./trivia.ts";

/** How a document is laid out, as far as an edit imitates it. */
export interface Style {
  readonly eol: string;
  /** One level of indentation. */
  readonly unit: string;
  /** What stands between key and value. */
  readonly colon: string;
  /** What follows a comma on the same line, and stands inside the braces of an object on one line. */
  readonly space: string;
}

export function styleOf(text: string, root: ConfigNode): Style {
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  const first = firstMember(root);
  const gap = first?.gap(text);
  const compact = gap === ":";
  const unit =
    first !== null && isFirstOnLine(text, first.start)
      ? indentOf(text, first.start).slice(indentOf(text, root.start).length)
      : "";
  return {
    eol,
    unit: unit === "" ? "  " : unit,
    colon: gap !== undefined && /^[ \t]*:[ \t]*$/.test(gap) ? gap : ": ",
    space: compact ? "" : " ",
  };
}

function firstMember(
  root: ConfigNode,
): { readonly start: number; readonly gap: (text: string) => string | undefined } | null {
  const member = root.kind === "object" ? root.members[0] : undefined;
  if (member === undefined) return null;
  const { keySpan, value } = member;
  return { start: keySpan.start, gap: (text) => (value === null ? undefined : text.slice(keySpan.end, value.start)) };
}

/** Prints a value; objects over several lines when `indent` (that of the line it starts on) is given, else on one line. */
export function printValue(value: JsonValue, style: Style, indent: string | null): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const isArray = Array.isArray(value);
  const [open, close] = isArray ? ["[", "]"] : ["{", "}"];
  const isFlat = indent === null || (isArray && value.every((item) => item === null || typeof item !== "object"));
  const inner = isFlat ? null : indent + style.unit;
  const parts = isArray
    ? value.map((item: JsonValue) => printValue(item, style, inner))
    : Object.entries(value).map(([key, child]) => printMember(key, child as JsonValue, style, inner));
  if (parts.length === 0) return `${open}${close}`;
  if (inner !== null)
    return `${open}${style.eol}${parts.map((part) => inner + part).join(`,${style.eol}`)}${style.eol}${indent}${close}`;
  const pad = isArray ? "" : style.space;
  return `${open}${pad}${parts.join(`,${style.space}`)}${pad}${close}`;
}

export function printMember(key: string, value: JsonValue, style: Style, indent: string | null): string {
  return JSON.stringify(key) + style.colon + printValue(value, style, indent);
}

/** True for a value written over several lines. */
export function spansLines(text: string, node: ConfigNode): boolean {
  return hasBreak(text.slice(node.start, node.end));
}
