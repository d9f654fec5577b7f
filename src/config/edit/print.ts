import type { JsonValue } from "../../base/json.ts";
import { lineBreakOf } from "../../base/text-edit.ts";
import type { ConfigNode } from "../node.ts";
import { indentOf, isFirstOnLine } from "./list.ts";

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
  const first = root.kind === "object" ? root.members[0] : undefined;
  const start = first?.keySpan.start ?? root.start;
  const unit = isFirstOnLine(text, start) ? indentOf(text, start).slice(indentOf(text, root.start).length) : "";
  const gap = typeof first?.value?.start === "number" ? text.slice(first.keySpan.end, first.value.start) : "";
  return {
    eol: lineBreakOf(text),
    unit: unit === "" ? "  " : unit,
    colon: /^[ \t]*:[ \t]*$/.test(gap) ? gap : ": ",
    space: gap === ":" ? "" : " ",
  };
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
