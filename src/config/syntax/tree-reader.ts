import type { ConfigNode, Member } from "../node.ts";
import type { Problems } from "./problems.ts";
import { checkString, readForeignText, readScalar } from "./scalar.ts";
import { type Token, type TokenKind, TokenReader } from "./token-reader.ts";

/** Levels of objects and arrays that are read; a deeper part is passed over without recursion. */
const DEEPEST = 200;

/** How objects and arrays are read: their closing bracket, that of the other kind, and tokens that no entry begins with. */
const LISTS = {
  "{": { close: "}", otherClose: "]", other: "[", unclosed: "unclosedObject", stray: [":", "{", "[", "]"] },
  "[": { close: "]", otherClose: "}", other: "{", unclosed: "unclosedArray", stray: [":", "}"] },
} as const;

type Open = keyof typeof LISTS;

const OPENING = ["{", "["] as const;
const CLOSING = ["}", "]"] as const;
const END_OF_MEMBER = [",", "}", "]", "end", ":"] as const;

function isOneOf<K extends TokenKind>(token: Token, kinds: readonly K[]): token is Token & { readonly kind: K } {
  return (kinds as readonly TokenKind[]).includes(token.kind);
}

/**
 * Builds the tree of a document from its tokens, in one pass and linear time. Understands what other JSON dialects
 * write where it can be meant in one way only, so that the rest of such a document is still judged.
 */
export class TreeReader {
  readonly #text: string;
  readonly #problems: Problems;
  readonly #tokens: TokenReader;
  #token: Token;
  /** Where the token before the one in hand ends. */
  #lastEnd = 0;
  /** How many objects and arrays are open. */
  readonly #open = { "{": 0, "[": 0 };

  constructor(text: string, problems: Problems) {
    this.#text = text;
    this.#problems = problems;
    this.#tokens = new TokenReader(text, problems);
    this.#token = this.#tokens.next();
  }

  /** The root value; null where there is none. */
  read(): ConfigNode | null {
    const first = this.#token;
    while (isOneOf(this.#token, ["word", ",", ":", "}", "]"])) this.#advance();
    if (this.#token !== first) this.#problems.guess("textBefore", first);
    else if (first.kind === "end" && this.#tokens.unclosedComment === null) this.#reportEmpty();
    const root = this.#token.kind === "end" ? null : this.#value(1);
    if (this.#token.kind !== "end") {
      this.#problems.settle();
      this.#problems.guessWhole("textAfter", this.#token);
    }
    while (this.#token.kind !== "end") this.#advance();
    this.#reportUnclosedComment(root);
    return root;
  }

  #advance(): void {
    this.#lastEnd = this.#token.end;
    this.#token = this.#tokens.next();
  }

  #reportEmpty(): void {
    const fault = /^\ufeff?\s*$/.test(this.#text) ? "emptyFile" : "onlyComments";
    this.#problems.guess(fault, { start: this.#text.length, end: this.#text.length });
  }

  #reportUnclosedComment(root: ConfigNode | null): void {
    const start = this.#tokens.unclosedComment;
    if (start === null) return;
    this.#problems.settle();
    if (root === null || root.end > start) this.#problems.broken = true;
    this.#problems.guessWhole("unclosedComment", { start, end: start + 2 });
  }

  #value(depth: number): ConfigNode | null {
    const token = this.#token;
    if (isOneOf(token, OPENING)) return depth > DEEPEST ? this.#passOver() : this.#list(token, depth);
    this.#advance();
    const scalar = readScalar(token, this.#text, this.#problems);
    // Of several bare words the first is not the value.
    return token.kind === "word" && !this.#isEndOfMember() ? null : scalar;
  }

  #passOver(): null {
    this.#problems.note("depth", this.#token);
    this.#problems.broken = true;
    let open = 0;
    do {
      if (isOneOf(this.#token, OPENING)) open++;
      if (isOneOf(this.#token, CLOSING)) open--;
      this.#advance();
    } while (open > 0 && this.#token.kind !== "end");
    return null;
  }

  /** Reads an object or array, whose opening bracket is the token in hand. */
  #list(open: Token & { readonly kind: Open }, depth: number): ConfigNode {
    const isObject = open.kind === "{";
    const members: Member[] = [];
    const items: ConfigNode[] = [];
    let needsComma = false;
    this.#open[open.kind]++;
    this.#advance();
    while (!this.#isEndOf(open)) {
      if (this.#token.kind === ",") {
        this.#comma(needsComma);
        needsComma = false;
      } else if (isOneOf(this.#token, LISTS[open.kind].stray)) this.#stray(isObject, depth);
      else {
        if (needsComma) this.#missingComma();
        needsComma = isObject ? this.#member(members, depth) : this.#item(items, depth);
      }
    }
    this.#open[open.kind]--;
    const end = this.#closingEnd(open.kind);
    return isObject
      ? { kind: "object", start: open.start, end, members }
      : { kind: "array", start: open.start, end, items };
  }

  /** True at the end of the list that `open` began: at its bracket, at that of a list around it, or at the end of the text. */
  #isEndOf(open: Token & { readonly kind: Open }): boolean {
    const { close, otherClose, other, unclosed } = LISTS[open.kind];
    if (this.#token.kind === close) return true;
    const isLost = this.#token.kind === "end" || (this.#token.kind === otherClose && this.#open[other] > 0);
    if (!isLost) return false;
    if (this.#token.kind === "end" && this.#tokens.unclosedComment !== null) this.#problems.broken = true;
    else this.#problems.guess(unclosed, open);
    return true;
  }

  /** Takes the bracket that closes a list, if it is there; returns where the list ends. */
  #closingEnd(open: Open): number {
    const { kind, start, end } = this.#token;
    if (kind !== LISTS[open].close) return start;
    this.#advance();
    return end;
  }

  #missingComma(): void {
    const comma = { start: this.#lastEnd, end: this.#lastEnd, text: "," };
    this.#problems.guessWhole("missingComma", this.#token, undefined, undefined, comma);
  }

  #comma(isExpected: boolean): void {
    if (isExpected) this.#problems.settle();
    else this.#problems.guessWhole("strayComma", this.#token);
    this.#advance();
  }

  #stray(isObject: boolean, depth: number): void {
    this.#problems.guess(isObject ? "missingKey" : "missingItem", this.#token);
    if (isOneOf(this.#token, OPENING)) this.#value(depth + 1);
    else this.#advance();
  }

  #item(items: ConfigNode[], depth: number): boolean {
    const item = this.#value(depth + 1);
    if (item !== null) items.push(item);
    else this.#problems.broken = true;
    return true;
  }

  /** Reads a member into `members`; false where its key cannot be one. */
  #member(members: Member[], depth: number): boolean {
    const token = this.#token;
    this.#advance();
    const key = this.#key(token);
    if (key === null) return false;
    const keySpan = { start: token.start, end: token.end };
    const hasColon = this.#token.kind === ":";
    if (hasColon) {
      this.#problems.settle();
      this.#advance();
    } else if (!this.#isEndOfMember()) this.#problems.guess("missingColon", this.#token);
    if (!this.#isEndOfMember()) {
      const value = this.#value(depth + 1);
      if (value === null) this.#problems.broken = true;
      members.push({ key, keySpan, value });
      return true;
    }
    this.#problems.guess(hasColon ? "missingValue" : "loneKey", keySpan);
    if (!hasColon && token.kind !== "string") return false;
    members.push({ key, keySpan, value: null });
    return true;
  }

  #isEndOfMember(): boolean {
    return isOneOf(this.#token, END_OF_MEMBER);
  }

  /** The name that a token in the place of a key gives; null when it can be none. */
  #key(token: Token): string | null {
    if (token.kind === "string") return checkString(token, this.#text, this.#problems) ? token.value : null;
    if (token.kind === "quoted") return readForeignText(token, this.#problems);
    if (this.#token.kind === ":") this.#problems.habit("unquotedKey", token, "key", JSON.stringify(token.value));
    return token.value;
  }
}
