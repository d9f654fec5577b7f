import type { Span } from "../../config/node.ts";

/** A rule as a comment names it. */
export interface NamedRule extends Span {
  readonly id: string;
}

/** What a comment says that suppresses findings: `qm-deploy-ignore <rule> [<rule>…] -- <reason>`. */
export interface Directive {
  readonly rules: readonly NamedRule[];
  /** One line; null where there is none, or one without a letter or digit. */
  readonly reason: string | null;
  /** False where it only looks like such a comment, by another spelling of its first word. */
  readonly isSpelledRight: boolean;
}

/** True for a text that says something: it has a letter or a digit that one sees. */
export function saysSomething(text: string): boolean {
  return /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u.test(text);
}

/** The word that such a comment begins with; a text without it has none. */
export const DIRECTIVE = "qm-deploy-ignore";

/** True for a text that may hold such a comment, be it a misspelt one. */
export function mayHoldDirective(text: string): boolean {
  return /qm[-_]?deploy[-_:]\s?ignore/i.test(text);
}

/** Reads the comment that stands at a place of a text, marks included; null where it is an ordinary one. */
export function readDirective(text: string, { start, end }: Span): Directive | null {
  const comment = text.slice(start, end);
  const [head, word] = /^(?:\/\/+\s*|\/\*[\s*]*|#+\s*)(qm[-_]?deploy[-_:]\s?ignore[\w-]*)/i.exec(comment) ?? [];
  if (head === undefined) return null;
  const isBlock = comment.startsWith("/*");
  const body = isBlock ? comment.slice(0, -"*/".length) : comment;
  const dashes = /(?<=\s)--(?=\s|$)/.exec(body.slice(head.length));
  const listEnd = dashes === null ? body.length : head.length + dashes.index;
  const rules: NamedRule[] = [];
  for (const { 0: id, index } of body.slice(head.length, listEnd).matchAll(/[^\s,:*][^\s,]*/g)) {
    const at = start + head.length + index;
    rules.push({ id, start: at, end: at + id.length });
  }
  const written = dashes === null ? "" : body.slice(listEnd + "--".length);
  // The lines of a block comment may each begin with a mark.
  const lines = written.split(/\r\n|[\r\n]/).map((line) => line.trim().replace(/^\*\s*/, ""));
  const reason = lines.filter((line) => line !== "").join(" ");
  return { rules, reason: saysSomething(reason) ? reason : null, isSpelledRight: word === DIRECTIVE };
}

/** A comment in which some rules go by another id; without those that get none, and "" where no rule is left. */
export function rewrittenComment(
  text: string,
  { start, end }: Span,
  { rules }: Directive,
  idOf: (rule: NamedRule) => string | null,
): string {
  const ids = rules.map(idOf).filter((id) => id !== null);
  const [first, last] = [rules[0], rules.at(-1)];
  if (ids.length === 0 || first === undefined || last === undefined) return "";
  return text.slice(start, first.start) + ids.join(" ") + text.slice(last.end, end);
}
