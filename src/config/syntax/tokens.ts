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

/** Members of jsonc-parser's const enums, which do not exist at run time. */
const KINDS: { readonly [kind in SyntaxKind]?: TokenKind } = {
  1: "{",
  2: "}",
  3: "[",
  4: "]",
  5: ",",
  6: ":",
  7: "null",
  8: "true",
  9: "false",
  10: "string",
  11: "number",
  16: "word",
  17: "end",
};
const BLOCK_COMMENT: SyntaxKind = 13;
const LAST_TRIVIA: SyntaxKind = 15;
const FIRST_TRIVIA: SyntaxKind = 12;
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

const ENDS_WORD = /[\s{}[\]",:]|\/[/*]|$/g;
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
      const position = this.#passSpaces();
      // Looked at before the scanner does: it would read on to the end of a run of such characters each time.
      if (!isPlain(this.#text.charCodeAt(position))) {
        if (this.#isForeignTrivia(position)) continue;
        const quoted = this.#quoteEnd(position);
        if (quoted !== null) {
          this.#scanner.setPosition(quoted);
          return { kind: "quoted", start: position, end: quoted, value: this.#text.slice(position, quoted), fault: 0 };
        }
      }
      const scanned = this.#scanner.scan();
      const start = this.#scanner.getTokenOffset();
      if (scanned === BLOCK_COMMENT && this.#scanner.getTokenError() === UNCLOSED_COMMENT) this.unclosedComment = start;
      if (scanned >= FIRST_TRIVIA && scanned <= LAST_TRIVIA) continue;
      const kind = KINDS[scanned] ?? "word";
      const end = Math.min(this.#scanner.getPosition(), this.#text.length);
      if (kind === "word" || kind === "number" || kind === "true" || kind === "false" || kind === "null")
        return this.#word(kind, start, end);
      return { kind, start, end, value: this.#scanner.getTokenValue(), fault: this.#scanner.getTokenError() };
    }
  }

  /** Passes over JSON's own spaces, of which the scanner would make tokens; returns where it stands then. */
  #passSpaces(): number {
    const start = this.#scanner.getPosition();
    let at = start;
    for (
      let unit = this.#text.charCodeAt(at);
      unit === 32 || unit === 10 || unit === 13 || unit === 9;
      unit = this.#text.charCodeAt(at)
    )
      at++;
    if (at !== start) this.#scanner.setPosition(at);
    return at;
  }

  /** Passes over `#` comments and spaces that JSON does not know; false when the text at `start` is neither. */
  #isForeignTrivia(start: number): boolean {
    if (this.#text[start] === "#") {
      const end = this.#lineEnd(start);
      this.#problems.habit(
        "syntax/hash-comment",
        { start, end },
        "a comment starts with `//`, not with `#`",
        "write `//` in place of `#`",
        "comment",
      );
      this.#scanner.setPosition(end);
      return true;
    }
    INVISIBLE.lastIndex = start;
    if (!INVISIBLE.test(this.#text)) return false;
    const end = INVISIBLE.lastIndex;
    const code = this.#text.charCodeAt(start).toString(16).toUpperCase().padStart(4, "0");
    this.#problems.habit(
      "syntax/invisible-character",
      { start, end },
      `an invisible character (U+${code}) stands between the values`,
      "delete it, or type an ordinary space in its place",
      "place",
    );
    this.#scanner.setPosition(end);
    return true;
  }

  /** A number or keyword is one only if nothing sticks to its end. */
  #word(kind: TokenKind, start: number, end: number): Token {
    ENDS_WORD.lastIndex = end;
    const wordEnd = ENDS_WORD.exec(this.#text)?.index ?? this.#text.length;
    const fault = this.#scanner.getTokenError();
    if (wordEnd > end) this.#scanner.setPosition(wordEnd);
    return { kind: wordEnd > end ? "word" : kind, start, end: wordEnd, value: this.#text.slice(start, wordEnd), fault };
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

  #lineEnd(start: number): number {
    let at = start;
    while (at < this.#text.length && this.#text[at] !== "\n" && this.#text[at] !== "\r") at++;
    return at;
  }
}
