import { looksRandom } from "../base/random-text.ts";
import { findUnseen } from "../base/unseen.ts";
import { LineIndex, type SourceRange } from "../diagnostics/source.ts";
import {
  type EnvDocument,
  type EnvEntry,
  type EnvProblem,
  envProblem,
  type EnvProblemKind,
  isEnvName,
} from "./env-document.ts";
import { type RawEntry, scanEntries, type Span } from "./scan.ts";

/** Controls that a value cannot mean: all but tab and what ends a line. */
export const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** A name of one case and of words, so that a line of a broken PEM or token does not pass for one and get printed. */
function isPrintable(name: string): boolean {
  return /^(?:[A-Z_][A-Z0-9_.-]*|[a-z_][a-z0-9_.-]*)$/.test(name) && !looksRandom(name);
}

/**
 * Reads a `.env` as this toolkit does: the dialect that `check` judges with. Never throws, takes linear time.
 *
 * - A byte order mark is skipped; lines end at LF, CRLF or a lone CR; blank lines and lines that start with `#` say nothing.
 * - `export` before the name and blanks (space, tab) around name and `=` do not count; the first `=` splits.
 * - A value that starts with `"`, `'` or a backtick ends at the next such quote, which may stand on a later line. In double
 *   quotes `\n`, `\r`, `\"`, `\\` and `\$` are escapes. Any other value ends at a `#` behind a blank or at the end of its
 *   line, without the blanks at its edges.
 * - A quote that is never closed is a problem; the value is then its own line and the lines below are read as usual.
 * - Every line that sets nothing is a problem; of repeated names the last wins.
 */
export function readEnvFile(text: string): EnvDocument {
  const lines = new LineIndex(text);
  const entries: EnvEntry[] = [];
  const problems: EnvProblem[] = [];
  const values = new Map<string, string>();
  const places = new Map<string, SourceRange>();
  for (const raw of scanEntries(text)) {
    const key = text.slice(raw.key.start, raw.key.end);
    const shown = raw.value !== null && isPrintable(key) ? key : null;
    for (const [kind, { start, end }, what] of problemsOf(text, raw, key, values.get(key))) {
      const problem = envProblem(kind, shown, lines.range(start, end), what);
      const earlier = kind === "duplicate-name" || kind === "blank-hides-value" ? places.get(key) : undefined;
      problems.push(earlier === undefined ? problem : { ...problem, earlier });
    }
    if (raw.value === null || !isEnvName(key)) continue;
    const { value, quote, written, comment } = raw.value;
    values.set(key, value);
    const keyRange = lines.range(raw.key.start, raw.key.end);
    places.set(key, keyRange);
    entries.push({
      key,
      value,
      keyRange,
      valueRange: lines.range(written.start, written.end),
      commentRange: comment === null ? null : lines.range(comment.start, comment.end),
      quote,
      exported: raw.exported,
      range: lines.range(raw.start, raw.end),
    });
  }
  return { entries, problems, values };
}

/** What is wrong with an entry, and where; `earlier` is the value that an entry above gives to its name. */
function* problemsOf(
  text: string,
  { start, end, key, value }: RawEntry,
  name: string,
  earlier: string | undefined,
): Iterable<readonly [kind: EnvProblemKind, at: Span, what?: string]> {
  if (value === null) return yield ["no-equals", key];
  if (!isEnvName(name)) yield ["invalid-name", key];
  const control = text.slice(start, end).search(CONTROL);
  if (control !== -1) yield ["control-character", { start: start + control, end: start + control + 1 }];
  const { written, rest, comment } = value;
  const unseen = findUnseen(text.slice(written.start, written.end), true);
  if (unseen !== null && control === -1)
    yield [
      "invisible-character",
      { start: written.start + unseen.start, end: written.start + unseen.end },
      unseen.what,
    ];
  if (value.isUnterminated) yield ["unterminated-quote", { start: written.start, end: written.start + 1 }];
  if (rest !== null) yield ["text-after-quote", rest];
  if (comment !== null && value.quote === "none") yield ["inline-comment", comment];
  if (earlier === undefined) return;
  const isHidden = value.value.trim() === "" && earlier.trim() !== "";
  yield [isHidden ? "blank-hides-value" : "duplicate-name", key];
}
