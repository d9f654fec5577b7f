/**
 * A function of one object that works its answer out once for each and keeps it as long as the object lives. For pure
 * functions alone: whoever asks again gets the same answer.
 */
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
