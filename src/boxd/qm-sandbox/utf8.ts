/**
 * How many bytes from the start are whole UTF-8 characters. The beginning of a character that is all there is counts as whole, so that somebody who
 * reads in pieces gets on even with a limit below the size of a character.
 */
export function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    const continues = (byte & 0xc0) === 0x80;
    if (continues) continue;
    return lengthOf(byte) > back && back < bytes.length ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Length of the character that begins with this byte; 1 for one that begins none. */
function lengthOf(first: number): number {
  if (first >= 0xf8) return 1;
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}
