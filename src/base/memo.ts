/** Longer texts seldom come twice, and are not worth their memory. */
const LONGEST = 4_096;

/** The same text in memory of its own: a piece of a file, kept as it is, would keep the whole file. */
function apart(text: string): string {
  return ` ${text}`.slice(1);
}

/**
 * A function of one text that remembers its last answers, `most` of them at the least. For pure functions alone, whose
 * texts come again: the same messages and addresses in each deployment of a fleet. An answer is shared, so it must be
 * one that nobody changes.
 */
export function memoizeByText<V>(most: number, work: (text: string) => V): (text: string) => V {
  let recent = new Map<string, V>();
  let before = new Map<string, V>();
  return (text) => {
    if (text.length > LONGEST) return work(text);
    let answer = recent.get(text);
    if (answer !== undefined || recent.has(text)) return answer as V;
    const own = apart(text);
    answer = before.has(own) ? (before.get(own) as V) : work(own);
    if (recent.size >= most) {
      before = recent;
      recent = new Map();
    }
    recent.set(own, answer);
    return answer;
  };
}
