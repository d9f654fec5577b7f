/** Replaces the text from `start` to `end` by `text`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies splices that were all computed on the same text and do not overlap; of two at one offset the first comes first. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const sorted = splices
    .map((splice, order) => ({ splice, order }))
    .sort((a, b) => a.splice.start - b.splice.start || a.order - b.order);
  let result = "";
  let at = 0;
  for (const { splice } of sorted) {
    result += text.slice(at, splice.start) + splice.text;
    at = Math.max(at, splice.end);
  }
  return result + text.slice(at);
}
