import { looksRandom } from "../base/random-text.ts";
import type { SourceRange } from "../diagnostics/range.ts";
import { LineIndex } from "../diagnostics/source.ts";
import type { EnvDocument, EnvEntry, EnvProblem } from "./env-document.ts";
import { isEnvName } from "./name.ts";
import { envProblem } from "./problem.ts";
import { type ScannedValue, type Span, type Statement, statements } from "./scan.ts";

/** Controls that a value cannot mean: all but tab and what ends a line. */
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** A name of one case and of words, so that a line of a broken PEM or token does not pass for one and get printed. */
function isPrintable(name: string): boolean {
  return /^(?:[A-Z_][A-Z0-9_.-]*|[a-z_][a-z0-9_.-]*)$/.test(name) && !looksRandom(name);
}

class Reading {
  readonly entries: EnvEntry[] = [];
  readonly problems: EnvProblem[] = [];
  readonly values = new Map<string, string>();
  readonly #text: string;
  readonly #lines: LineIndex;

  constructor(text: string) {
    this.#text = text;
    this.#lines = new LineIndex(text);
  }

  #range(span: Span): SourceRange {
    return this.#lines.range(span.start, span.end);
  }

  #judgeControls(name: string | null, statement: Statement): void {
    const at = this.#text.slice(statement.start, statement.end).search(CONTROL);
    if (at === -1) return;
    const start = statement.start + at;
    this.problems.push(envProblem("control-character", name, this.#range({ start, end: start + 1 })));
  }

  #judgeValue(name: string | null, scanned: ScannedValue): void {
    if (scanned.isUnterminated) {
      const { start } = scanned.written;
      this.problems.push(envProblem("unterminated-quote", name, this.#range({ start, end: start + 1 })));
    }
    if (scanned.rest !== null) this.problems.push(envProblem("text-after-quote", name, this.#range(scanned.rest)));
    if (scanned.comment !== null && scanned.quote === "none") {
      this.problems.push(envProblem("inline-comment", name, this.#range(scanned.comment)));
    }
  }

  #judgeRepeat(key: string, shown: string | null, value: string, range: SourceRange): void {
    const earlier = this.values.get(key);
    if (earlier === undefined) return;
    const hides = value.trim() === "" && earlier.trim() !== "";
    this.problems.push(envProblem(hides ? "blank-hides-value" : "duplicate-name", shown, range));
  }

  /** Takes one statement in. */
  add(statement: Statement): void {
    const key = this.#text.slice(statement.key.start, statement.key.end);
    const keyRange = this.#range(statement.key);
    const scanned = statement.value;
    if (scanned === null) {
      this.problems.push(envProblem("no-equals", null, keyRange));
      return;
    }
    const isName = isEnvName(key);
    const shown = isPrintable(key) ? key : null;
    if (!isName) this.problems.push(envProblem("invalid-name", shown, keyRange));
    this.#judgeControls(shown, statement);
    this.#judgeValue(shown, scanned);
    if (!isName) return;
    this.#judgeRepeat(key, shown, scanned.value, keyRange);
    this.values.set(key, scanned.value);
    this.entries.push({
      key,
      value: scanned.value,
      keyRange,
      valueRange: this.#range(scanned.written),
      commentRange: scanned.comment === null ? null : this.#range(scanned.comment),
      quote: scanned.quote,
      exported: statement.exported,
      range: this.#range(statement),
    });
  }
}

/**
 * Reads a `.env` as this toolkit does: the dialect that `check` judges with. Never throws, takes linear time.
 *
 * - A byte order mark is skipped; lines end at LF, CRLF or a lone CR; blank lines and lines that start with `#` say nothing.
 * - `export` before the name and blanks (space, tab) around name and `=` do not count; the first `=` splits.
 * - A value that starts with `"`, `'` or a backtick ends at the next such quote, which may stand on a later line; see
 *   {@link unquoted} for escapes. Any other value ends at a `#` behind a blank or at the end of its line, without edge blanks.
 * - A quote that is never closed is a problem; the value is then its own line and the lines below are read as usual.
 * - Every line that sets nothing is a problem; of repeated names the last wins.
 */
export function readEnvFile(text: string): EnvDocument {
  const reading = new Reading(text);
  for (const statement of statements(text)) reading.add(statement);
  return { entries: reading.entries, problems: reading.problems, values: reading.values };
}
