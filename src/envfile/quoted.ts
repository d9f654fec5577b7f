import type { QuoteStyle } from "./env-document.ts";

/** The style that an opening quote character starts; null for any other character. */
export function quoteStyle(character: string | undefined): Exclude<QuoteStyle, "none"> | null {
  if (character === '"') return "double";
  if (character === "'") return "single";
  return character === "`" ? "backtick" : null;
}

/** Offset of the quote that closes the one at `open`, or -1. Only double quotes know escapes. */
export function closingQuote(text: string, open: number): number {
  const quote = text[open] as string;
  if (quote !== '"') return text.indexOf(quote, open + 1);
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === quote) return at;
    if (text[at] === "\\") at++;
  }
  return -1;
}

const ESCAPES = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ['"', '"'],
  ["\\", "\\"],
  ["$", "$"],
]);

/**
 * What stands between quotes, as it is meant. Line ends become LF. In double quotes `\n`, `\r`, `\"`, `\\` and `\$` are
 * escapes, so that JSON can be written; a backslash before anything else stays, as does every one in other quotes.
 */
export function unquoted(inner: string, style: QuoteStyle): string {
  const lines = inner.includes("\r") ? inner.replace(/\r\n?/g, "\n") : inner;
  if (style !== "double" || !lines.includes("\\")) return lines;
  let value = "";
  for (let at = 0; at < lines.length; at++) {
    const unit = lines[at] as string;
    const escape = unit === "\\" ? ESCAPES.get(lines[at + 1] ?? "") : undefined;
    if (escape === undefined) value += unit;
    else {
      value += escape;
      at++;
    }
  }
  return value;
}
