/** A part of a `.tfvars` text: an assignment, or what stands between assignments (comments, blank lines). */
export type TfvarsPart = TfvarsAssignment | { readonly kind: "other"; readonly text: string };

/** `lead` ends behind the `=` and its spaces, `tail` begins behind the value: spaces, a comment, the line's end. */
interface TfvarsAssignment {
  readonly kind: "assignment";
  readonly name: string;
  readonly lead: string;
  readonly value: string;
  readonly tail: string;
}

const ASSIGNMENT = /[^\S\r\n]*([A-Za-z_][\w-]*)[^\S\r\n]*=(?!=)[^\S\r\n]*/y;
const HEREDOC = /<<-?([A-Za-z_][\w-]*)[^\S\r\n]*\r?\n/y;

/**
 * Splits a `.tfvars` text so that one value can be replaced and every other byte kept. {@link tfvarsText} gives the input
 * back, whatever it is.
 */
export function readTfvars(text: string): readonly TfvarsPart[] {
  const parts: TfvarsPart[] = [];
  let at = 0;
  while (at < text.length) {
    ASSIGNMENT.lastIndex = at;
    const match = ASSIGNMENT.exec(text);
    if (match === null) {
      const end = endOfOther(text, at);
      parts.push({ kind: "other", text: text.slice(at, end) });
      at = end;
      continue;
    }
    const start = at + match[0].length;
    const value = endOfValue(text, start);
    const end = endOfLine(text, value.end);
    parts.push({
      kind: "assignment",
      name: match[1] as string,
      lead: match[0],
      value: text.slice(start, value.last),
      tail: text.slice(value.last, end),
    });
    at = end;
  }
  return parts;
}

/** The text of parts. */
export function tfvarsText(parts: readonly TfvarsPart[]): string {
  return parts.map((part) => (part.kind === "other" ? part.text : part.lead + part.value + part.tail)).join("");
}

/** The end of a comment or of a line that is no assignment. A block comment is taken whole. */
function endOfOther(text: string, at: number): number {
  const lead = /[^\S\r\n]*/y;
  lead.lastIndex = at;
  lead.exec(text);
  if (!text.startsWith("/*", lead.lastIndex)) return endOfLine(text, at);
  return endOfLine(text, endOfBlock(text, lead.lastIndex));
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

/** Where the expression that starts at `at` ends: at its line's end outside of brackets, strings and heredocs. `last` is the end of its last token that is no comment. */
function endOfValue(text: string, at: number): { readonly end: number; readonly last: number } {
  let depth = 0;
  let last = at;
  while (at < text.length) {
    const character = text[at] as string;
    if (character === "#" || text.startsWith("//", at)) at = lineBreak(text, at);
    else if (text.startsWith("/*", at)) at = endOfBlock(text, at);
    else if (character === "\n" && depth <= 0) return { end: at, last };
    else {
      if ("{[(".includes(character)) depth++;
      if ("}])".includes(character)) depth--;
      at = endOfToken(text, at);
      if (character.trim() !== "") last = at;
    }
  }
  return { end: at, last };
}

function endOfToken(text: string, at: number): number {
  if (text[at] === '"') return endOfString(text, at + 1);
  HEREDOC.lastIndex = at;
  const heredoc = text[at] === "<" ? HEREDOC.exec(text) : null;
  return heredoc === null ? at + 1 : endOfHeredoc(text, HEREDOC.lastIndex, heredoc[1] as string);
}

function endOfBlock(text: string, at: number): number {
  const close = text.indexOf("*/", at + 2);
  return close < 0 ? text.length : close + 2;
}

function lineBreak(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function endOfString(text: string, at: number): number {
  while (at < text.length && text[at] !== '"' && text[at] !== "\n") at += text[at] === "\\" ? 2 : 1;
  return text[at] === '"' ? at + 1 : Math.min(at, text.length);
}

function endOfHeredoc(text: string, at: number, mark: string): number {
  while (at < text.length) {
    const end = lineBreak(text, at);
    if (text.slice(at, end).trim() === mark) return end;
    at = end + 1;
  }
  return text.length;
}
