/**
 * A place in a source text. `line` and `column` are 1-based, `offset` is 0-based. All three count UTF-16 units of the
 * decoded text with a byte order mark counted, so that an editor and `text.slice()` agree on them.
 */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

/** A stretch of a source text; `end` is exclusive. */
export interface SourceRange {
  readonly start: SourcePosition;
  readonly end: SourcePosition;
}

/** A text file that was read: `file` is the name that reports show (relative to the working directory, `/` as separator). */
export interface SourceFile {
  readonly file: string;
  /** Decoded text, a byte order mark included. */
  readonly text: string;
}

/** Turns offsets of one text into positions. Lines end at LF, CRLF or a lone CR. */
export class LineIndex {
  /** Where each line starts. */
  readonly starts: readonly number[];
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    const starts = [0];
    let carriage = text.indexOf("\r");
    let feed = text.indexOf("\n");
    while (carriage !== -1 || feed !== -1) {
      const isCarriage = carriage !== -1 && (feed === -1 || carriage < feed);
      // The line of a CRLF ends at its LF.
      if (!isCarriage || feed !== carriage + 1) starts.push((isCarriage ? carriage : feed) + 1);
      if (isCarriage) carriage = text.indexOf("\r", carriage + 1);
      else feed = text.indexOf("\n", feed + 1);
    }
    this.starts = starts;
  }

  /** The position of an offset; offsets outside the text are moved to its nearest end. */
  position(offset: number): SourcePosition {
    const at = Math.min(Math.max(offset, 0), this.#length);
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] as number) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: at - (this.starts[low] as number) + 1, offset: at };
  }

  /** The range from `start` (inclusive) to `end` (exclusive), both offsets. */
  range(start: number, end: number): SourceRange {
    return { start: this.position(start), end: this.position(Math.max(start, end)) };
  }
}
