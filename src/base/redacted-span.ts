/** What stands for a hidden piece. */
export const REDACTED = "[hidden]";

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
