import { mayHoldDirective } from "./directive.ts";

/** Comments of a config, an env file or the head of a skill; in strings there are more, which do no harm here. */
const COMMENTS = /\/\*[^]*?(?:\*\/|$(?![^]))|(?:\/\/|#)[^\r\n]*/g;

/** What an entry of package.json says. */
const ENTRY_TEXTS = /(?<="(?:rule|path|reason)"[ \t]{0,16}:[ \t]{0,16}")(?:[^"\\\r\n]|\\.)+/g;

/**
 * A text with its suppressions changed, and nothing else: comments that suppress something or try to, and what entries of package.json say.
 * Works on pieces of a file and on what does not parse. Linear time.
 */
export function mapSuppressionTexts(text: string, change: (written: string) => string): string {
  const entries = text.includes('"qmDeploy"') ? text.replaceAll(ENTRY_TEXTS, change) : text;
  if (!mayHoldDirective(entries)) return entries;
  return entries.replaceAll(COMMENTS, (comment) => (mayHoldDirective(comment) ? change(comment) : comment));
}
