import { createScanner, type JSONScanner, type ScanError, type SyntaxKind } from "jsonc-parser";
import type { Span } from "../node.ts";
import type { Problems } from "./problems.ts";

/**
 * `string` is JSON's; `quoted` one in foreign quotes; `word` anything else that is no token of JSON, such as `+1`,
 * `0x1F`, `NaN` or a bare key.
 */
export type TokenKind =
  "{" | "}" | "[" | "]" | ":" | "," | "string" | "number" | "true" | "false" | "null" | "quoted" | "word" | "end";

export interface Token extends Span {
  readonly kind: TokenKind;
  /** Decoded text of a string, source text of anything else. */
  readonly value: string;
  /** What jsonc-parser's scanner has against it; 0 for nothing. */
  readonly fault: ScanError;
}

/** Members of jsonc-parser's const enums, which do not exist at run time. Punctuation comes before null, true and false. */
const LAST_PUNCTUATION: SyntaxKind = 6;
const STRING: SyntaxKind = 10;
const NUMBER: SyntaxKind = 11;
const LINE_COMMENT: SyntaxKind = 12;
const BLOCK_COMMENT: SyntaxKind = 13;
const LAST_TRIVIA: SyntaxKind = 15;
const END: SyntaxKind = 17;
const UNCLOSED_COMMENT: ScanError = 1;

/** Opening quotes that other dialects (and word processors) use, with their closing ones. */
const FOREIGN_QUOTES: { readonly [open: string]: string } = {
  "'": "'",
  "`": "`",
  "\u2018": "\u2019",
  "\u201c": "\u201d",
  "\u201e": "\u201c",
  "\u201d": "\u201d",
};

const KEYWORDS: readonly string[] = ["true", "false", "null"] satisfies TokenKind[];
const ENDS_WORD = /[\s{}[\]",:]|\/[/*]|$/g;
const SPACES = /[ \t\n\r]*/y;
const HASH_COMMENT = /#[^\n\r]*/y;
const INVISIBLE = /(?:(?![ \t\n\r])[\s\u200b-\u200f\u2060\ufeff])+/y;

/** True for the code of a printable ASCII character that begins neither a comment nor a string of another dialect. */
function isPlain(unit: number): boolean {
  return unit > 32 && unit < 127 && unit !== 35 && unit !== 39 && unit !== 96;
}

/** Reads the significant tokens of a JSONC text one by one; comments and spaces are passed over. */
export class TokenReader {
  readonly #text: string;
  readonly #scanner: JSONScanner;
  readonly #problems: Problems;
  /** For a closing quote: the offset before which it is known not to come any more, so that no line is searched twice. */
  readonly #absentUntil = new Map<string, number>();
  /** Where a comment that never ends begins; null when there is none. */
  unclosedComment: number | null = null;

  constructor(text: string, problems: Problems) {
    this.#text = text;
    this.#problems = problems;
    this.#scanner = createScanner(text);
    if (text.charCodeAt(0) === 0xfeff) this.#scanner.setPosition(1);
  }

  next(): Token {
    for (;;) {
      const position = this.#pass(SPACES)?.end ?? this.#scanner.getPosition();
      // Looked at before the scanner does: it would read on to the end of a run of such characters each time.
      if (!isPlain(this.#text.charCodeAt(position))) {
        if (this.#passForeignTrivia()) continue;
        const quoted = this.#quoteEnd(position);
        if (quoted !== null) {
          this.#scanner.setPosition(quoted);
          return { kind: "quoted", start: position, end: quoted, value: this.#text.slice(position, quoted), fault: 0 };
        }
      }
      const scanned = this.#scanner.scan();
      const start = this.#scanner.getTokenOffset();
      const end = Math.min(this.#scanner.getPosition(), this.#text.length);
      const fault = this.#scanner.getTokenError();
      if (scanned === BLOCK_COMMENT && fault === UNCLOSED_COMMENT) this.unclosedComment = start;
      if (scanned >= LINE_COMMENT && scanned <= LAST_TRIVIA) continue;
      if (scanned === END) return { kind: "end", start, end, value: "", fault };
      if (scanned === STRING) return { kind: "string", start, end, value: this.#scanner.getTokenValue(), fault };
      const value = this.#text.slice(start, end);
      if (scanned <= LAST_PUNCTUATION) return { kind: value as TokenKind, start, end, value, fault };
      return this.#word(scanned === NUMBER, start, end, fault);
    }
  }

  /** Passes over what a sticky pattern matches here; null where that is nothing. */
  #pass(pattern: RegExp): Span | null {
    const start = this.#scanner.getPosition();
    pattern.lastIndex = start;
    if (!pattern.test(this.#text) || pattern.lastIndex === start) return null;
    this.#scanner.setPosition(pattern.lastIndex);
    return { start, end: pattern.lastIndex };
  }

  /** Passes over a `#` comment, or spaces that JSON does not know; false when the text is neither. */
  #passForeignTrivia(): boolean {
    const comment = this.#pass(HASH_COMMENT);
    if (comment !== null)
      this.#problems.habit("hashComment", comment, "comment", `//${this.#text.slice(comment.start + 1, comment.end)}`);
    const spaces = comment === null ? this.#pass(INVISIBLE) : null;
    if (spaces !== null) {
      const code = this.#text.charCodeAt(spaces.start).toString(16).toUpperCase().padStart(4, "0");
      const message = `an invisible character (U+${code}) stands between the values`;
      this.#problems.habit("invisible", spaces, "place", " ", message);
    }
    return comment !== null || spaces !== null;
  }

  /** A number or keyword is one only if nothing sticks to its end. */
  #word(isNumber: boolean, start: number, end: number, fault: ScanError): Token {
    ENDS_WORD.lastIndex = end;
    const wordEnd = ENDS_WORD.exec(this.#text)?.index ?? this.#text.length;
    if (wordEnd > end) this.#scanner.setPosition(wordEnd);
    const value = this.#text.slice(start, wordEnd);
    const kind = KEYWORDS.includes(value) ? (value as TokenKind) : isNumber && wordEnd === end ? "number" : "word";
    return { kind, start, end: wordEnd, value, fault };
  }

  /** End of the string in foreign quotes that starts at `start`; null when none does, or none that is closed on its line. */
  #quoteEnd(start: number): number | null {
    const close = FOREIGN_QUOTES[this.#text[start] ?? ""];
    if (close === undefined || start < (this.#absentUntil.get(close) ?? 0)) return null;
    let at = start + 1;
    for (; at < this.#text.length; at++) {
      const unit = this.#text[at];
      if (unit === close) return at + 1;
      if (unit === "\n" || unit === "\r") break;
      if (unit === "\\") at++;
    }
    this.#absentUntil.set(close, at);
    return null;
  }
}
