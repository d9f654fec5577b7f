import type { ConfigNode, Member, Span } from "../node.ts";
import type { Problems } from "./problems.ts";
import { readScalar, reportForeignQuotes } from "./scalar.ts";
import { checkString, foreignText } from "./string.ts";
import { TokenReader, type Token } from "./tokens.ts";

/** Levels of objects and arrays that are read; a deeper part is passed over without recursion. */
const DEEPEST = 200;

/**
 * Builds the tree of a document from its tokens, in one pass and linear time. Understands what other JSON dialects
 * write where it can be meant in one way only, so that the rest of such a document is still judged.
 */
export class TreeReader {
  readonly #text: string;
  readonly #problems: Problems;
  readonly #tokens: TokenReader;
  #token: Token;
  #openArrays = 0;
  #openObjects = 0;

  constructor(text: string, problems: Problems) {
    this.#text = text;
    this.#problems = problems;
    this.#tokens = new TokenReader(text, problems);
    this.#token = this.#tokens.next();
  }

  /** The root value; null where there is none. */
  read(): ConfigNode | null {
    const first = this.#token;
    while (
      this.#token.kind === "word" ||
      this.#token.kind === "," ||
      this.#token.kind === ":" ||
      this.#token.kind === "}" ||
      this.#token.kind === "]"
    )
      this.#advance();
    if (this.#token.kind === "end" && first.kind === "end") this.#reportEmpty();
    else if (this.#token !== first)
      this.#problems.report(
        "syntax/stray-text",
        first,
        "text stands where the object should begin",
        "begin with `{`; notes go into `//` comments",
      );
    const root = this.#token.kind === "end" ? null : this.#value(1);
    if (this.#token.kind !== "end") {
      this.#problems.settle();
      this.#problems.report(
        "syntax/stray-text",
        this.#token,
        "text stands after the end of the object",
        "delete it, or make it a `//` comment",
        false,
      );
    }
    while (this.#token.kind !== "end") this.#advance();
    this.#reportUnclosedComment(root);
    return root;
  }

  #advance(): void {
    this.#token = this.#tokens.next();
  }

  #reportEmpty(): void {
    if (this.#tokens.unclosedComment !== null) return;
    const nothing = /^\ufeff?\s*$/.test(this.#text);
    const at = { start: this.#text.length, end: this.#text.length };
    this.#problems.report(
      "syntax/empty",
      at,
      nothing ? "the file is empty" : "the file holds nothing but comments",
      'write an object: `{ "contract": 1, … }`',
    );
  }

  #reportUnclosedComment(root: ConfigNode | null): void {
    const start = this.#tokens.unclosedComment;
    if (start === null) return;
    this.#problems.settle();
    const lost = root === null || root.end > start;
    this.#problems.report(
      "syntax/unclosed-comment",
      { start, end: start + 2 },
      "a comment begins here and never ends",
      "end it with `*/`",
      lost,
    );
  }

  #value(depth: number): ConfigNode | null {
    const token = this.#token;
    if (token.kind !== "{" && token.kind !== "[") {
      this.#advance();
      const scalar = readScalar(token, this.#text, this.#problems);
      // Of several bare words the first is not the value.
      return token.kind === "word" && !this.#endsMember() ? null : scalar;
    }
    if (depth > DEEPEST) return this.#passOver();
    this.#advance();
    return token.kind === "{" ? this.#object(token, depth) : this.#array(token, depth);
  }

  #passOver(): null {
    this.#problems.note(
      "syntax/depth",
      this.#token,
      `objects and arrays are nested more than ${DEEPEST} levels deep`,
      "flatten it; no configuration of qm is deeper than a few levels",
    );
    this.#problems.broken = true;
    let open = 0;
    do {
      if (this.#token.kind === "{" || this.#token.kind === "[") open++;
      if (this.#token.kind === "}" || this.#token.kind === "]") open--;
      this.#advance();
    } while (open > 0 && this.#token.kind !== "end");
    return null;
  }

  #object(open: Token, depth: number): ConfigNode {
    const members: Member[] = [];
    let complete = true;
    this.#openObjects++;
    while (!this.#closes(open, "}", "]", this.#openArrays)) {
      if (this.#token.kind === ",") {
        this.#comma(complete && members.length > 0);
        complete = false;
        continue;
      }
      if (
        this.#token.kind === ":" ||
        this.#token.kind === "{" ||
        this.#token.kind === "[" ||
        this.#token.kind === "]"
      ) {
        this.#problems.report(
          "syntax/key",
          this.#token,
          "a key in double quotes must stand here",
          'write `"key": value`',
        );
        if (this.#token.kind === "{" || this.#token.kind === "[") this.#value(depth + 1);
        else this.#advance();
        continue;
      }
      if (complete && members.length > 0) this.#reportMissingComma();
      const member = this.#member(depth);
      if (member !== null) members.push(member);
      complete = member !== null;
    }
    this.#openObjects--;
    return { kind: "object", start: open.start, end: this.#close("}"), members };
  }

  #array(open: Token, depth: number): ConfigNode {
    const items: ConfigNode[] = [];
    let complete = true;
    let any = false;
    this.#openArrays++;
    while (!this.#closes(open, "]", "}", this.#openObjects)) {
      if (this.#token.kind === ",") {
        this.#comma(complete && any);
        complete = false;
        continue;
      }
      if (this.#token.kind === ":" || this.#token.kind === "}") {
        this.#problems.report(
          "syntax/value",
          this.#token,
          "a value of the array must stand here",
          "items of an array are values with commas between them",
        );
        this.#advance();
        continue;
      }
      if (complete && any) this.#reportMissingComma();
      const item = this.#value(depth + 1);
      if (item !== null) items.push(item);
      else this.#problems.broken = true;
      complete = any = true;
    }
    this.#openArrays--;
    return { kind: "array", start: open.start, end: this.#close("]"), items };
  }

  /** True at the end of the list that `open` began: at its bracket, at that of a list around it, or at the end of the text. */
  #closes(open: Token, own: "}" | "]", other: "}" | "]", openOthers: number): boolean {
    if (this.#token.kind === own) return true;
    const isLost = this.#token.kind === "end" || (this.#token.kind === other && openOthers > 0);
    if (!isLost) return false;
    if (this.#token.kind === "end" && this.#tokens.unclosedComment !== null) this.#problems.broken = true;
    else this.#problems.report("syntax/unclosed", open, `\`${open.kind}\` is never closed`, `close it with \`${own}\``);
    return true;
  }

  /** Takes the bracket that closes a list, if it is there; returns where the list ends. */
  #close(own: "}" | "]"): number {
    const token = this.#token;
    if (token.kind !== own) return token.start;
    this.#advance();
    return token.end;
  }

  #comma(expected: boolean): void {
    if (expected) this.#problems.settle();
    else
      this.#problems.report(
        "syntax/comma",
        this.#token,
        "a comma stands here without a value before it",
        "delete the comma",
        false,
      );
    this.#advance();
  }

  #reportMissingComma(): void {
    this.#problems.report(
      "syntax/comma",
      this.#token,
      "a comma is missing before this",
      "put a comma after the value before it",
      false,
    );
  }

  #member(depth: number): Member | null {
    const token = this.#token;
    this.#advance();
    const key = this.#key(token);
    if (key === null) return null;
    const keySpan: Span = { start: token.start, end: token.end };
    if (this.#token.kind === ":") {
      this.#problems.settle();
      this.#advance();
    } else if (this.#endsMember()) {
      this.#problems.report("syntax/key", keySpan, "a key without a value stands here", 'write `"key": value`');
      return token.kind === "string" ? { key, keySpan, value: null } : null;
    } else {
      this.#problems.report(
        "syntax/colon",
        this.#token,
        "a `:` is missing between key and value",
        "put a `:` after the key",
      );
    }
    if (!this.#endsMember()) {
      const value = this.#value(depth + 1);
      if (value === null) this.#problems.broken = true;
      return { key, keySpan, value };
    }
    this.#problems.report(
      "syntax/value",
      keySpan,
      "the key has no value",
      "write a value after the `:`, or delete the key",
    );
    return { key, keySpan, value: null };
  }

  #endsMember(): boolean {
    return (
      this.#token.kind === "," ||
      this.#token.kind === "}" ||
      this.#token.kind === "]" ||
      this.#token.kind === "end" ||
      this.#token.kind === ":"
    );
  }

  /** The name that a token in the place of a key gives; null when it can be none. */
  #key(token: Token): string | null {
    if (token.kind === "string") return checkString(token, this.#text, this.#problems) ? token.value : null;
    if (token.kind === "quoted") {
      reportForeignQuotes(token, this.#problems);
      return foreignText(token.value);
    }
    if (this.#token.kind === ":") {
      this.#problems.habit(
        "syntax/unquoted-key",
        token,
        "keys need double quotes",
        'put `"` on both sides of the key',
        "key",
      );
    }
    return token.value;
  }
}
