/** What stands for a hidden piece. */
export const REDACTED = "[hidden]";

/** Stands for each unit of a hidden piece in a text whose offsets must stay; of private use, so that no text needs it. */
export const BLANK = "\uf8ff";

/** A piece of a text that is not shown, `end` exclusive. */
export interface RedactedSpan {
  readonly start: number;
  readonly end: number;
}

/** The same pieces in order and apart. */
export function mergedSpans(spans: readonly RedactedSpan[]): RedactedSpan[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/** The pieces of a text that were blanked out, in order. */
export function blankedSpans(text: string): RedactedSpan[] {
  if (!text.includes(BLANK)) return [];
  return [...text.matchAll(new RegExp(`${BLANK}+`, "g"))].map(({ 0: run, index }) => ({
    start: index,
    end: index + run.length,
  }));
}

/** The text with `[hidden]` in the place of its spans, which are in order and apart. */
export function withoutSpans(text: string, spans: readonly RedactedSpan[]): string {
  let shown = "";
  let at = 0;
  for (const { start, end } of spans) {
    shown += text.slice(at, start) + REDACTED;
    at = end;
  }
  return shown + text.slice(at);
}
