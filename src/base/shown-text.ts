/**
 * Text that may leave the program. The streams take nothing else, so that no text reaches them that was not masked and
 * made printable, but for what {@link ours} vouches for.
 */
export class Shown {
  /** As a line of text shows it. */
  readonly text: string;
  /** The same for a program, whose format has escapes of its own. */
  readonly exact: string;

  constructor(text: string, exact: string) {
    this.text = text;
    this.exact = exact;
  }

  toJSON(): string {
    return this.exact;
  }
}

/** Text that holds nothing of a user, or that an encoder of its format has made safe; artifacts, which no mask may alter. */
export function ours(text: string): Shown {
  return new Shown(text, text);
}
