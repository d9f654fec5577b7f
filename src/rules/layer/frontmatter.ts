import type { Span } from "../../config/node.ts";

/** One `key: value` of the notes at the head of a SKILL.md. */
export interface FrontmatterField {
  /** Null for a list. */
  readonly text: string | null;
  readonly keySpan: Span;
}

/** The head of a SKILL.md, as core reads it: a small part of YAML. */
export interface Frontmatter {
  readonly fields: ReadonlyMap<string, FrontmatterField>;
  readonly hasBody: boolean;
  /** The opening `---`. */
  readonly opening: Span;
}

const BLOCK = /^[>|]-?$/;

/** Reads the head of a SKILL.md; null where there is none (a first line `---`, and a later line that begins so). */
export function readFrontmatter(text: string): Frontmatter | null {
  const match = /^(\uFEFF?)---\r?\n/.exec(text);
  if (match === null) return null;
  const start = match[0].length;
  // The line end that closes the opening line may also be the one before the closing one.
  const closing = /\r?\n---/g;
  closing.lastIndex = start;
  const end = closing.exec(text);
  if (end === null) return null;
  const opening = { start: (match[1] as string).length, end: (match[1] as string).length + 3 };
  return { fields: readFields(text, start, end.index), hasBody: text.slice(closing.lastIndex).trim() !== "", opening };
}

function readFields(text: string, start: number, end: number): Map<string, FrontmatterField> {
  const fields = new Map<string, FrontmatterField>();
  let at = start;
  // A carriage return belongs to the line end behind it; the last line's was taken with the closing `---` already.
  const lines = text.slice(start, end).split("\n");
  for (const [index, line] of lines.entries()) {
    const key = /^([A-Za-z0-9_-]+):/.exec(line)?.[1];
    const rest =
      key === undefined ? null : restOf(index === lines.length - 1 ? line : line.replace(/\r$/, ""), key.length + 1);
    if (key !== undefined && rest !== null)
      fields.set(key, { text: valueOf(rest, lines, index + 1), keySpan: { start: at, end: at + key.length } });
    at += line.length + 1;
  }
  return fields;
}

/** What stands behind a key and its colon; null where a line end of another kind makes it no pair. One regular expression for it would take quadratic time. */
function restOf(line: string, from: number): string | null {
  const rest = line.slice(from).trimStart();
  return /[\r\u2028\u2029]/.test(rest) ? null : rest;
}

/** A value on the key's own line, or in the deeper lines from `next` on; null for a list. */
function valueOf(rest: string, lines: readonly string[], next: number): string | null {
  if (BLOCK.test(rest)) return indented(lines, next).join("\n").trim();
  if (rest === "" || (rest.startsWith("[") && rest.endsWith("]"))) return null;
  const trimmed = rest.trim();
  const quoted = /^(["'])(.*)\1$/.exec(trimmed);
  return quoted === null ? trimmed : (quoted[2] as string);
}

function indented(lines: readonly string[], from: number): string[] {
  let end = from;
  for (let line = lines[end]; line !== undefined && (line.trim() === "" || /^[ \t]/.test(line)); line = lines[++end]);
  return lines.slice(from, end);
}
