import type { RuleId } from "../../diagnostics/rule-ids.generated.ts";
import type { Span } from "../node.ts";

/** A syntax finding before it has lines and columns. */
export interface Problem extends Span {
  readonly rule: RuleId;
  readonly message: string;
  readonly help: string;
}

/** Findings that a document can have before the rest is only counted: 100,000 faults must not become 100,000 diagnostics. */
const MOST_PROBLEMS = 100;

interface Habit {
  readonly problem: Problem;
  readonly what: string;
  count: number;
}

/**
 * Collects syntax findings. One slip of the pen upsets the reader for some tokens after it, so that after a finding
 * others are held back until {@link settle} says that reader and text agree again.
 */
export class Problems {
  readonly #found: Problem[] = [];
  readonly #habits = new Map<string, Habit>();
  #unsettled = false;
  #uncounted = 0;
  /** True once a part of the document may be lost. */
  broken = false;

  /** A finding that costs nothing of the document. */
  note(rule: RuleId, at: Span, message: string, help: string): void {
    if (this.#found.length >= MOST_PROBLEMS) this.#uncounted++;
    else this.#found.push({ rule, start: at.start, end: at.end, message, help });
  }

  /** A finding after which the reader guesses; `lost` unless all of the document is still understood. */
  report(rule: RuleId, at: Span, message: string, help: string, lost = true): void {
    if (lost) this.broken = true;
    if (this.#unsettled) return;
    this.#unsettled = true;
    this.note(rule, at, message, help);
  }

  /** A finding that a whole document tends to repeat: said at its first place, with a count of `what`. */
  habit(rule: RuleId, at: Span, message: string, help: string, what: string): void {
    const known = this.#habits.get(rule);
    if (known !== undefined) known.count++;
    else this.#habits.set(rule, { problem: { rule, start: at.start, end: at.end, message, help }, what, count: 0 });
  }

  /** Reader and text agree again. */
  settle(): void {
    this.#unsettled = false;
  }

  /** Everything found, in document order. */
  all(): Problem[] {
    const found = [...this.#found];
    for (const { problem, what, count } of this.#habits.values()) {
      const more = count === 0 ? "" : ` (and ${count} more ${what}${count === 1 ? "" : "s"})`;
      found.push({ ...problem, message: problem.message + more });
    }
    found.sort((a, b) => a.start - b.start);
    const last = found.at(-1);
    if (this.#uncounted > 0 && last !== undefined) {
      const message = `${this.#uncounted} more syntax problems are not listed`;
      found.push({
        rule: "syntax/more-problems",
        start: last.start,
        end: last.end,
        message,
        help: "mend the ones above first and run it again",
      });
    }
    return found;
  }
}
