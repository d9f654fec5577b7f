/** Text that is cut, in places where no character is cut in half. Lengths are in UTF-16 units. */

/** The first `most` units, or one fewer where that would be half of a character. */
export function beginning(text: string, most: number): string {
  return text.slice(0, isHalved(text, most) ? most - 1 : most);
}

/** The last `most` units, or one fewer where that would be half of a character. */
export function ending(text: string, most: number): string {
  const start = Math.max(0, text.length - most);
  return text.slice(isHalved(text, start) ? start + 1 : start);
}

/** Text that was decoded after its bytes had been cut, without what the decoder puts for the character that the cut went through. */
export function withoutHalfCharacter(text: string): string {
  return text.replace(/\uFFFD{1,3}$/, "");
}

function isHalved(text: string, at: number): boolean {
  return at > 0 && at < text.length && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
}
