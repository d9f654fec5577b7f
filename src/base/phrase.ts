/** Texts as a phrase: "a", "a and b", "a, b and c". */
export function phrase(texts: readonly string[], word: "and" | "or" = "and"): string {
  if (texts.length < 2) return texts.join("");
  return `${texts.slice(0, -1).join(", ")} ${word} ${texts.at(-1)}`;
}

/** Names in backquotes as a phrase. */
export function names(all: readonly string[], word: "and" | "or" = "and"): string {
  const quoted = all.map((name) => `\`${name}\``);
  return phrase(quoted, word);
}

/** A number of things: "1 error", "2 errors". For nouns whose plural ends with `s`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
