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
