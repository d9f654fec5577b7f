import type { Span } from "../config/node.ts";

/** One `key: value` in the head of a SKILL.md. */
export interface HeadField {
  /** What core takes for the value: text, or the items of a list. */
  readonly value: string | readonly string[];
  /** What stands behind the colon, without the blanks before it. */
  readonly rest: string;
  /** The lines below, up to the next one that is neither indented, blank, a comment nor an item of a list. */
  readonly below: readonly string[];
  readonly key: Span;
}

/** The head of a SKILL.md as core reads it, which knows a small part of YAML (docs/contract/qm-config.md#heads-of-skills). */
export interface SkillHead {
  /** By key. Of a key that stands twice the last one, as in core. */
  readonly fields: ReadonlyMap<string, HeadField>;
  /** Keys that stand once more above, at the last place before. */
  readonly repeated: ReadonlyMap<string, Span>;
  /** The lines between the two `---`, and where each starts. */
  readonly lines: readonly { readonly text: string; readonly start: number }[];
  readonly hasBody: boolean;
  /** The opening `---`. */
  readonly opening: Span;
}

/** What may stand behind a colon where the text is in the lines below. */
const BLOCK = /^[>|]-?$/;

/** Reads the head of a SKILL.md; null where there is none (a first line `---`, and a later line that begins so). */
export function readSkillHead(text: string): SkillHead | null {
  const match = /^(\uFEFF?)---\r?\n/.exec(text);
  if (match === null) return null;
  const start = match[0].length;
  const closing = /\r?\n---/g;
  closing.lastIndex = start;
  const end = closing.exec(text);
  if (end === null) return null;
  const mark = (match[1] as string).length;
  const lines = linesOf(text.slice(start, end.index), start);
  return {
    ...readFields(lines),
    lines,
    hasBody: text.slice(closing.lastIndex).trim() !== "",
    opening: { start: mark, end: mark + 3 },
  };
}

/** A carriage return belongs to the line end behind it; the last line's was taken with the closing `---` already. */
function linesOf(text: string, start: number): { text: string; start: number }[] {
  const lines = text.split("\n");
  let at = start;
  return lines.map((line, index) => {
    const each = { text: index === lines.length - 1 ? line : line.replace(/\r$/, ""), start: at };
    at += line.length + 1;
    return each;
  });
}

function readFields(lines: SkillHead["lines"]): Pick<SkillHead, "fields" | "repeated"> {
  const fields = new Map<string, HeadField>();
  const repeated = new Map<string, Span>();
  for (const [index, { text, start }] of lines.entries()) {
    const key = /^([A-Za-z0-9_-]+):/.exec(text)?.[1];
    const rest = key === undefined ? null : restOf(text, key.length + 1);
    if (key === undefined || rest === null) continue;
    const span = { start, end: start + key.length };
    const earlier = fields.get(key);
    if (earlier !== undefined) repeated.set(key, earlier.key);
    const below = linesBelow(lines, index + 1);
    fields.set(key, { value: valueOf(rest, below), rest, below, key: span });
  }
  return { fields, repeated };
}

/** What is behind a key and its colon; null where a line end of another kind makes it no pair. One regular expression for it would take quadratic time. */
function restOf(line: string, from: number): string | null {
  const rest = line.slice(from).trimStart();
  return /[\r\u2028\u2029]/.test(rest) ? null : rest;
}

function linesBelow(lines: SkillHead["lines"], from: number): string[] {
  let end = from;
  for (let line = lines[end]?.text; line !== undefined && /^(?:[ \t#]|-\s|\s*$)/.test(line); line = lines[++end]?.text);
  return lines.slice(from, end).map(({ text }) => text);
}

/** A value on the key's own line, or in the deeper lines below. */
function valueOf(rest: string, below: readonly string[]): string | readonly string[] {
  if (BLOCK.test(rest)) return blockText(below);
  if (rest === "") return indentedItems(below);
  if (rest.startsWith("[") && rest.endsWith("]"))
    return rest
      .slice(1, -1)
      .split(",")
      .map(withoutQuotes)
      .filter((item) => item !== "");
  return withoutQuotes(rest);
}

function blockText(below: readonly string[]): string {
  // A line that is not indented ends a block, be it a comment.
  const end = below.findIndex((line) => /^\S/.test(line));
  return (end < 0 ? below : below.slice(0, end)).join("\n").trim();
}

/** Items in lines, as far as core reads them: it stops at a line of any other kind. */
function indentedItems(below: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of below) {
    const mark = /^[ \t]\s*-(?=\s)/.exec(line)?.[0];
    const item = mark === undefined ? null : restOf(line, mark.length);
    if (item === null) break;
    items.push(withoutQuotes(item));
  }
  return items;
}

function withoutQuotes(text: string): string {
  const trimmed = text.trim();
  return /^(["'])[^]*\1$/.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
}
