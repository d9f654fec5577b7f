/** A value of Node's env files and the offset behind its line; `next` is null where nothing ends the value. */
export interface NodeValue {
  readonly value: string;
  readonly next: number | null;
}

/** Offset of the LF at or after `from`, or the length of the text. */
export function endOfLine(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at === -1 ? text.length : at;
}

/** Takes the characters of `space` off both ends. */
export function trimmed(text: string, space: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && space.includes(text[start] as string)) start++;
  while (end > start && space.includes(text[end - 1] as string)) end--;
  return text.slice(start, end);
}

/** The value that starts at `open`: no escapes but `\n` in double quotes, and `#` always cuts an unquoted one. */
export function nodeValue(text: string, open: number, space: string): NodeValue {
  const quote = text[open];
  if (quote !== '"' && quote !== "'" && quote !== "`") {
    const end = endOfLine(text, open);
    const line = text.slice(open, end);
    const hash = line.indexOf("#");
    return { value: trimmed(hash === -1 ? line : line.slice(0, hash), space), next: end + 1 };
  }
  const close = text.indexOf(quote, open + 1);
  if (close === -1) {
    const end = endOfLine(text, open);
    return { value: text.slice(open, end), next: end === text.length ? null : end + 1 };
  }
  const inner = text.slice(open + 1, close);
  return { value: quote === '"' ? inner.replaceAll("\\n", "\n") : inner, next: endOfLine(text, close + 1) + 1 };
}
