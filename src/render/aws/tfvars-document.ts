/** A part of a `.tfvars` text: an assignment, or what stands between assignments (comments, blank lines). */
export type TfvarsPart =
  | { readonly kind: "assignment"; readonly name: string; readonly text: string }
  | { readonly kind: "other"; readonly text: string };

const ASSIGNMENT = /[^\S\r\n]*([A-Za-z_][\w-]*)[^\S\r\n]*=(?!=)/y;
const HEREDOC = /<<-?([A-Za-z_][\w-]*)[^\S\r\n]*\r?\n/y;

/**
 * Splits a `.tfvars` text so that one assignment can be replaced and every other byte kept. Joining the texts gives the
 * input back, whatever it is. An assignment's text ends with its line, a trailing comment included.
 */
export function readTfvars(text: string): readonly TfvarsPart[] {
  const parts: TfvarsPart[] = [];
  let at = 0;
  while (at < text.length) {
    ASSIGNMENT.lastIndex = at;
    const match = ASSIGNMENT.exec(text);
    const end = match === null ? endOfOther(text, at) : endOfLine(text, endOfValue(text, ASSIGNMENT.lastIndex));
    const part = text.slice(at, end);
    parts.push(match === null ? { kind: "other", text: part } : { kind: "assignment", name: match[1] as string, text: part });
    at = end;
  }
  return parts;
}

/** The end of a comment or of a line that is no assignment. A block comment is taken whole. */
function endOfOther(text: string, at: number): number {
  const lead = /[^\S\r\n]*/y;
  lead.lastIndex = at;
  lead.exec(text);
  if (!text.startsWith("/*", lead.lastIndex)) return endOfLine(text, at);
  const close = text.indexOf("*/", lead.lastIndex + 2);
  return endOfLine(text, close < 0 ? text.length : close + 2);
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

/** Where the expression that starts at `at` ends: at its line's end outside of brackets, strings and heredocs. */
function endOfValue(text: string, at: number): number {
  let depth = 0;
  while (at < text.length) {
    const character = text[at];
    HEREDOC.lastIndex = at;
    const heredoc = character === "<" ? HEREDOC.exec(text) : null;
    if (heredoc !== null) at = endOfHeredoc(text, HEREDOC.lastIndex, heredoc[1] as string);
    else if (character === '"') at = endOfString(text, at + 1);
    else if (character === "#" || text.startsWith("//", at)) at = lineBreak(text, at);
    else if (text.startsWith("/*", at)) at = Math.max(at + 2, text.indexOf("*/", at) + 2);
    else {
      if (character === "\n" && depth <= 0) return at;
      if (character === "{" || character === "[" || character === "(") depth++;
      if (character === "}" || character === "]" || character === ")") depth--;
      at++;
    }
  }
  return at;
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
