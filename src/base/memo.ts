/** Longer texts seldom come twice, and are not worth their memory. */
const LONGEST = 4_096;

/** The same text in memory of its own: a slice of a file would keep the whole file alive. */
function detached(text: string): string {
  return ` ${text}`.slice(1);
}

/**
 * Remembers the latest answers by a text that says everything they rest on: at least `most` of them, at most twice as
 * many. A run over a thousand deployments asks the same things again and again, and this is the one mechanism against it:
 * for pure functions alone, where it was measured to save a good part of such a run. An answer is shared, so nobody may
 * change it.
 */
export function createMemo<V>(most: number): (key: string, make: (key: string) => V) => V {
  let recent = new Map<string, V>();
  let older = new Map<string, V>();
  return (key, make) => {
    if (key.length > LONGEST) return make(key);
    let answer = recent.get(key);
    if (answer !== undefined || recent.has(key)) return answer as V;
    const own = detached(key);
    answer = older.has(own) ? (older.get(own) as V) : make(own);
    if (recent.size >= most) {
      older = recent;
      recent = new Map();
    }
    recent.set(own, answer);
    return answer;
  };
}

/** A function of one text that remembers its latest answers. */
export function memoizeByText<V>(most: number, work: (text: string) => V): (text: string) => V {
  const memo = createMemo<V>(most);
  return (text) => memo(text, work);
}

/**
 * A function of one object that remembers its answer for the latest one: for what many ask of the same object before they go on to the
 * next. A WeakMap would keep every object whose answer refers to it until V8 collects all of its memory.
 */
export function memoizeLatest<K extends object, V>(work: (subject: K) => V): (subject: K) => V {
  let latest: { readonly subject: K; readonly answer: V } | undefined;
  return (subject) => {
    if (latest?.subject !== subject) latest = { subject, answer: work(subject) };
    return latest.answer;
  };
}
