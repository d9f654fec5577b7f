import type { Span } from "../node.ts";
import type { Problems } from "./problems.ts";
import type { Token } from "./tokens.ts";

const UNCLOSED: Token["fault"] = 2;
const LONE_SURROGATE = /\p{Surrogate}/u;
const ESCAPES = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\u?[0-9a-fA-F]{0,3}[^]?/g;
const VALID_ESCAPE = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})$/;
// oxlint-disable-next-line no-control-regex -- finding them is the purpose
const CONTROL = /[\u0000-\u001f]/;

/** Judges a string token. False when it is not closed, so that its value cannot be trusted. */
export function checkString(token: Token, text: string, problems: Problems): boolean {
  if (token.fault === UNCLOSED) {
    problems.report(
      "syntax/unclosed-string",
      { start: token.start, end: token.end },
      "the text in double quotes is not closed on its line",
      'close it with `"`; a line break inside is written `\\n`',
    );
    return false;
  }
  if (token.fault !== 0) checkContent(token, text, problems);
  // Only escapes can bring in what the text as a whole does not hold.
  const hasEscapes = token.value.length !== token.end - token.start - 2;
  if (hasEscapes && LONE_SURROGATE.test(token.value)) reportSurrogate(token, text, problems);
  return true;
}

function checkContent(token: Token, text: string, problems: Problems): void {
  const source = text.slice(token.start, token.end);
  const control = CONTROL.exec(source);
  const escape = firstBadEscape(source);
  if (escape !== null) {
    const at = { start: token.start + escape.start, end: token.start + escape.end };
    problems.note(
      "syntax/escape",
      at,
      'a backslash must start one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX',
      "write a backslash itself as `\\\\`",
    );
  } else if (control !== null) {
    const code = control[0].charCodeAt(0);
    const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
    const at = { start: token.start + control.index, end: token.start + control.index + 1 };
    problems.note(
      "syntax/control-character",
      at,
      `a control character (${code === 9 ? `tab, ${name}` : name}) stands inside the text`,
      `write it as \`${code === 9 ? "\\t" : JSON.stringify(control[0]).slice(1, -1)}\`, or delete it`,
    );
  }
}

function firstBadEscape(source: string): Span | null {
  for (const match of source.matchAll(ESCAPES)) {
    if (!VALID_ESCAPE.test(match[0])) return { start: match.index, end: Math.min(match.index + 2, source.length) };
  }
  return null;
}

/** A raw lone surrogate is found by {@link firstLoneSurrogate}; here remain those that escapes write. */
function reportSurrogate(token: Token, text: string, problems: Problems): void {
  if (LONE_SURROGATE.test(text.slice(token.start, token.end))) return;
  problems.note(
    "syntax/lone-surrogate",
    token,
    "the text holds one half of a surrogate pair, which no file or variable can carry",
    "write the whole character, or delete it",
  );
}

/** Offset of the first lone surrogate of a text; -1 when there is none. */
export function firstLoneSurrogate(text: string): number {
  return text.search(LONE_SURROGATE);
}

/** The text of a string in foreign quotes, read as its writer meant it. */
export function foreignText(source: string): string {
  const inner = source
    .slice(1, -1)
    .replace(/\\(['`\u2018\u2019])/g, "$1")
    .replace(/(?<!\\)((?:\\\\)*)"/g, '$1\\"');
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    return source.slice(1, -1);
  }
}
