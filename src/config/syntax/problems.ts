import type { RuleId } from "../../diagnostics/rule-ids.generated.ts";
import type { Splice } from "../../base/text-edit.ts";
import { counted } from "../../base/phrase.ts";
import type { Span } from "../node.ts";

/** What can be wrong with a text: the rule, what is said and what to do. A blank message is made where the fault is found. */
const FAULTS = {
  bareText: ["syntax/bare-word", "a text value needs double quotes", 'put `"` on both sides'],
  foreignWord: ["syntax/bare-word", "", "write a number or `null`, or leave the key out"],
  upperCaseWord: ["syntax/bare-word", "", "write it in lower case"],
  missingColon: ["syntax/colon", "a `:` is missing between key and value", "put a `:` after the key"],
  missingComma: ["syntax/comma", "a comma is missing before this", "put a comma after the value before it"],
  strayComma: ["syntax/comma", "a comma stands here without a value before it", "delete the comma"],
  controlCharacter: ["syntax/control-character", "", "write it as an escape, or delete it"],
  depth: [
    "syntax/depth",
    "objects and arrays are nested more than 200 levels deep",
    "flatten it; no configuration of qm is deeper than a few levels",
  ],
  duplicateKey: ["syntax/duplicate-key", "", "delete one of the two; readers take the last one"],
  emptyFile: ["syntax/empty", "the file is empty", 'write an object: `{ "contract": 1, … }`'],
  onlyComments: ["syntax/empty", "the file holds nothing but comments", 'write an object: `{ "contract": 1, … }`'],
  encoding: [
    "syntax/encoding",
    "the file is not UTF-8 text (it looks like UTF-16, UTF-32 or binary)",
    "save it as UTF-8",
  ],
  escape: [
    "syntax/escape",
    'a backslash must start one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX',
    "write a backslash itself as `\\\\`",
  ],
  hashComment: ["syntax/hash-comment", "a comment starts with `//`, not with `#`", "write `//` in place of `#`"],
  invisible: ["syntax/invisible-character", "", "delete it, or type an ordinary space in its place"],
  missingKey: ["syntax/key", "a key in double quotes must stand here", 'write `"key": value`'],
  loneKey: ["syntax/key", "a key without a value stands here", 'write `"key": value`'],
  rawSurrogate: [
    "syntax/lone-surrogate",
    "the text holds one half of a surrogate pair, which no file or variable can carry",
    "delete it",
  ],
  escapedSurrogate: [
    "syntax/lone-surrogate",
    "the text holds one half of a surrogate pair, which no file or variable can carry",
    "write the whole character, or delete it",
  ],
  escapedNul: ["syntax/nul", "the text holds NUL (`\\u0000`), which no environment variable carries", "delete it"],
  incompleteNumber: ["syntax/number", "the number is not complete", "give it digits after its `.` or `e`"],
  foreignNumber: [
    "syntax/number",
    "the number is not written as JSON writes numbers",
    "write plain decimal digits: no leading `+`, no leading zero, no hexadecimal, and a digit on both sides of the point",
  ],
  noNumber: [
    "syntax/number",
    "the value is not a number as JSON writes them",
    "write plain decimal digits, or put it in double quotes when it is text",
  ],
  numberRange: ["syntax/number-range", "", "write a number that a 64-bit float can hold, or put it in double quotes"],
  inexactNumber: [
    "syntax/number-range",
    "the whole number is too large to be kept exactly",
    "stay within 9007199254740991, or put it in double quotes",
  ],
  protoKey: [
    "syntax/proto-key",
    "`__proto__` is not a key: programs drop it or take it for something else",
    "delete it or rename it",
  ],
  foreignQuotes: ["syntax/quotes", 'text needs double quotes (`"`), not other ones', 'put `"` on both sides'],
  root: ["syntax/root", "the document is not an object", 'put everything into one object: `{ "contract": 1, … }`'],
  size: [
    "syntax/size",
    "the file is larger than 1 MiB",
    "a deployment's configuration is a few kilobytes: move data elsewhere",
  ],
  textBefore: [
    "syntax/stray-text",
    "text stands where the object should begin",
    "begin with `{`; notes go into `//` comments",
  ],
  textAfter: ["syntax/stray-text", "text stands after the end of the object", "delete it, or make it a `//` comment"],
  unclosedObject: ["syntax/unclosed", "`{` is never closed", "close it with `}`"],
  unclosedArray: ["syntax/unclosed", "`[` is never closed", "close it with `]`"],
  unclosedComment: ["syntax/unclosed-comment", "a comment begins here and never ends", "end it with `*/`"],
  unclosedString: [
    "syntax/unclosed-string",
    "the text in double quotes is not closed on its line",
    'close it with `"`; a line break inside is written `\\n`',
  ],
  unquotedKey: ["syntax/unquoted-key", "keys need double quotes", 'put `"` on both sides of the key'],
  missingItem: [
    "syntax/value",
    "a value of the array must stand here",
    "items of an array are values with commas between them",
  ],
  missingValue: ["syntax/value", "the key has no value", "write a value after the `:`, or delete the key"],
} as const satisfies { readonly [fault: string]: readonly [rule: RuleId, message: string, help: string] };

export type Fault = keyof typeof FAULTS;

/** What repairing a fault does, where its meaning is certain: the document is understood all the same. */
const REPAIRS: { readonly [fault in Fault]?: string } = {
  foreignQuotes: "write the text in double quotes",
  hashComment: "begin the comment with `//`",
  invisible: "write an ordinary space in its place",
  missingComma: "add the comma",
  unquotedKey: "put the key in double quotes",
};

/** A syntax finding before it has lines and columns. */
export interface Problem extends Span {
  readonly rule: RuleId;
  readonly message: string;
  readonly help: string;
  /** What repairing it does; null where that is not certain. */
  readonly repair: string | null;
  /** Where the same stands first; none where it is not said. */
  readonly first?: Span;
}

/** Findings that a document can have before the rest is only counted: 100,000 faults must not become 100,000 diagnostics. */
const MOST_PROBLEMS = 100;

/**
 * Collects syntax findings. One slip of the pen upsets the reader for some tokens after it, so that after a guess others
 * are held back until {@link settle} says that reader and text agree again.
 */
export class Problems {
  readonly #found: Problem[] = [];
  readonly #habits = new Map<Fault, { readonly problem: Problem; readonly what: string; count: number }>();
  #unsettled = false;
  #uncounted = 0;
  /** Repairs everything whose meaning is certain, also what is only counted. */
  readonly repairs: Splice[] = [];
  /** True once a part of the document may be lost. */
  broken = false;

  /** A finding that costs nothing of the document. */
  note(fault: Fault, at: Span, message?: string, help?: string): void {
    this.#add(problem(fault, at, message, help));
  }

  /** The same of something that stands twice. */
  noteAgain(fault: Fault, at: Span, first: Span, message: string): void {
    this.#add({ ...problem(fault, at, message), first });
  }

  #add(found: Problem): void {
    if (this.#found.length >= MOST_PROBLEMS) this.#uncounted++;
    else this.#found.push(found);
  }

  /** A finding after which the reader guesses what follows, although all of the document is still understood. */
  guessWhole(fault: Fault, at: Span, message?: string, help?: string, repair?: Splice): void {
    if (this.#unsettled) return;
    this.#unsettled = true;
    if (repair !== undefined) this.repairs.push(repair);
    this.note(fault, at, message, help);
  }

  /** A finding after which the reader guesses, and a part of the document may be lost. */
  guess(fault: Fault, at: Span, message?: string): void {
    this.broken = true;
    this.guessWhole(fault, at, message);
  }

  /** A finding that a whole document tends to repeat: said at its first place, with a count of `what`; `repair` is what should stand there. */
  habit(fault: Fault, at: Span, what: string, repair: string, message?: string): void {
    this.repairs.push({ start: at.start, end: at.end, text: repair });
    const known = this.#habits.get(fault);
    if (known !== undefined) known.count++;
    else this.#habits.set(fault, { problem: problem(fault, at, message), what, count: 0 });
  }

  /** Reader and text agree again. */
  settle(): void {
    this.#unsettled = false;
  }

  /** Everything found, in document order. */
  all(): Problem[] {
    const found = [...this.#found];
    for (const { problem: first, what, count } of this.#habits.values()) {
      const more = count === 0 ? "" : ` (and ${counted(count, `more ${what}`)})`;
      found.push({ ...first, message: first.message + more });
    }
    found.sort((a, b) => a.start - b.start);
    const last = found.at(-1);
    if (this.#uncounted > 0 && last !== undefined) {
      const message = `${this.#uncounted} more syntax problems are not listed`;
      found.push({
        ...last,
        rule: "syntax/more-problems",
        repair: null,
        message,
        help: "fix the ones above first and run it again",
      });
    }
    return found;
  }
}

function problem(fault: Fault, { start, end }: Span, said?: string, advised?: string): Problem {
  const [rule, message, help] = FAULTS[fault];
  return { rule, start, end, message: said ?? message, help: advised ?? help, repair: REPAIRS[fault] ?? null };
}
