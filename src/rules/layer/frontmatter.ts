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
  const lines = text.slice(start, end).split("\n");
  for (const [index, line] of lines.entries()) {
    const pair = /^([A-Za-z0-9_-]+):\s*(.*?)\r?$/.exec(line);
    if (pair !== null) {
      const key = pair[1] as string;
      fields.set(key, { text: valueOf(pair[2] as string, lines.slice(index + 1)), keySpan: { start: at, end: at + key.length } });
    }
    at += line.length + 1;
  }
  return fields;
}

/** A value on the key's own line, or in the deeper lines after it; null for a list. */
function valueOf(rest: string, after: readonly string[]): string | null {
  if (BLOCK.test(rest)) return indented(after).join("\n").trim();
  if (rest === "" || (rest.startsWith("[") && rest.endsWith("]"))) return null;
  const trimmed = rest.trim();
  const quoted = /^(["'])(.*)\1$/.exec(trimmed);
  return quoted === null ? trimmed : (quoted[2] as string);
}

function indented(lines: readonly string[]): string[] {
  const end = lines.findIndex((line) => line.trim() !== "" && !/^[ \t]/.test(line));
  return lines.slice(0, end < 0 ? lines.length : end);
}
