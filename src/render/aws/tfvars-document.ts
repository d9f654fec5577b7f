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

const BLOCK_COMMENT = /[^\S\r\n]*\/\*[^]*?(?:\*\/|$)/y;

/** What a value is made of: comments, heredocs and strings, whose brackets and line ends do not count, and single characters. */
const TOKENS = [
  /(?<comment>(?:#|\/\/)[^\n]*|\/\*[^]*?(?:\*\/|$))/,
  /<<-?(?<mark>[A-Za-z_][\w-]*)[^\S\r\n]*\r?\n(?:(?:[^\n]*\n)*?[^\S\n]*\k<mark>[^\S\n]*(?=\n|$)|[^]*)/,
  /"(?:\\[^]?|[^"\\\n])*"?/,
  /[^]/,
];
const TOKEN = new RegExp(TOKENS.map(({ source }) => source).join("|"), "y");

/**
 * Splits a `.tfvars` text so that one value can be replaced and every other byte kept. {@link tfvarsText} gives the input
 * back, whatever it is.
 */
export function readTfvars(text: string): readonly TfvarsPart[] {
  const parts: TfvarsPart[] = [];
  let at = 0;
  while (at < text.length) {
    const assignment = matchAt(ASSIGNMENT, text, at);
    if (assignment === null) {
      const comment = matchAt(BLOCK_COMMENT, text, at)?.[0] ?? "";
      const end = endOfLine(text, at + comment.length);
      parts.push({ kind: "other", text: text.slice(at, end) });
      at = end;
      continue;
    }
    const [lead, name = ""] = assignment;
    const start = at + lead.length;
    const value = endOfValue(text, start);
    const end = endOfLine(text, value.end);
    parts.push({
      kind: "assignment",
      name,
      lead,
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

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Where the expression that starts at `at` ends: at its line's end outside of brackets, strings and heredocs. `last` is the end of its last token that is no comment. */
function endOfValue(text: string, at: number): { readonly end: number; readonly last: number } {
  let depth = 0;
  let last = at;
  while (at < text.length && (text[at] !== "\n" || depth > 0)) {
    const { 0: token, groups } = matchAt(TOKEN, text, at) as RegExpExecArray;
    at += token.length;
    if (groups?.["comment"] !== undefined) continue;
    if ("{[(".includes(token)) depth++;
    if ("}])".includes(token)) depth--;
    if (token.trim() !== "") last = at;
  }
  return { end: at, last };
}
