import { groupBy } from "./group-by.ts";

/**
 * Finds which of many texts stand in another text. It takes a step for each character there, however many texts are looked
 * for: those that begin alike (`shortest` characters, which each has at least) are told apart by their whole length.
 */
export function createTextFinder(texts: Iterable<string>, shortest: number): (text: string) => ReadonlySet<string> {
  const byStart = new Map(
    [...groupBy(texts, (text) => text.slice(0, shortest))].map(([start, alike]) => [
      start,
      [...groupBy(alike, ({ length }) => length)].map(([length, all]) => ({ length, all: new Set(all) })),
    ]),
  );
  return (text) => {
    const found = new Set<string>();
    if (byStart.size === 0) return found;
    for (let at = 0; at + shortest <= text.length; at++) {
      for (const { length, all } of byStart.get(text.slice(at, at + shortest)) ?? []) {
        const piece = text.slice(at, at + length);
        if (all.has(piece)) found.add(piece);
      }
    }
    return found;
  };
}
