/*
 * A run over a thousand deployments asks the same questions again and again: the same names, messages and addresses, the
 * same release. What is here remembers answers of pure functions. An answer is shared, so nobody may change it.
 */

/** Longer texts seldom come twice, and are not worth their memory. */
const LONGEST = 4_096;

/** The same text in memory of its own: a slice of a file would keep the whole file alive. */
function detached(text: string): string {
  return ` ${text}`.slice(1);
}

/** A function of one text that remembers its latest answers: at least `most` of them, at most twice as many. */
export function memoizeByText<V>(most: number, work: (text: string) => V): (text: string) => V {
  let recent = new Map<string, V>();
  let older = new Map<string, V>();
  return (text) => {
    if (text.length > LONGEST) return work(text);
    let answer = recent.get(text);
    if (answer !== undefined || recent.has(text)) return answer as V;
    const own = detached(text);
    answer = older.has(own) ? (older.get(own) as V) : work(own);
    if (recent.size >= most) {
      older = recent;
      recent = new Map();
    }
    recent.set(own, answer);
    return answer;
  };
}

/** A function of one object that remembers its answer for as long as the object lives. */
export function memoizeByObject<K extends object, V>(work: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    let answer = known.get(key);
    if (answer === undefined && !known.has(key)) {
      answer = work(key);
      known.set(key, answer);
    }
    return answer as V;
  };
}
