/**
 * Optimal string alignment distance of two short texts: insertions, deletions, substitutions and swaps of neighbours
 * count one each. Returns `cap + 1` as soon as it is known to be above `cap`.
 */
export function editDistance(a: string, b: string, cap: number): number {
  if (Math.abs(a.length - b.length) > cap) return cap + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((previous[j] as number) + 1, (row[j - 1] as number) + 1, (previous[j - 1] as number) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] as number) + 1);
      row.push(best);
      least = Math.min(least, best);
    }
    if (least > cap) return cap + 1;
    before = previous;
    previous = row;
  }
  return Math.min(previous[b.length] as number, cap + 1);
}

function folded(text: string): string {
  return text.toLowerCase().replace(/[-_ ]/g, "");
}

/**
 * The one name that was surely meant: equal but for case, hyphens and underscores, else the only nearest one within two
 * slips (one for names of up to four letters). Null when there is none or it is a tie.
 */
export function closestName(written: string, names: readonly string[]): string | null {
  const text = folded(written.trim());
  if (text === "" || text.length > 64) return null;
  const cap = text.length <= 4 ? 1 : 2;
  let nearest: string | null = null;
  let distance = cap + 1;
  let tie = false;
  for (const name of names) {
    const found = editDistance(text, folded(name), cap);
    if (found === distance && found <= cap) tie = true;
    if (found >= distance) continue;
    nearest = name;
    distance = found;
    tie = false;
  }
  return tie ? null : nearest;
}

/** True for two different texts that are one insertion, deletion, substitution or swap of neighbours apart. */
export function isOneSlip(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  const shorter = Math.min(a.length, b.length);
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && left[0] === right[1] && left[1] === right[0];
}
