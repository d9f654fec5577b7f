/** Where a token stands: offsets into the text of its file, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One `"key": value` of an object as written. A duplicate key has a member of its own. */
export interface Member {
  readonly key: string;
  /** The key token, quotes included. */
  readonly keySpan: Span;
  /** Null where the value is missing or does not parse. */
  readonly value: ConfigNode | null;
}

/** A value of a config document with its place. */
export type ConfigNode =
  | (Span & { readonly kind: "object"; readonly members: readonly Member[] })
  | (Span & { readonly kind: "array"; readonly items: readonly ConfigNode[] })
  | (Span & { readonly kind: "string"; readonly value: string })
  | (Span & { readonly kind: "number"; readonly value: number })
  | (Span & { readonly kind: "boolean"; readonly value: boolean })
  | (Span & { readonly kind: "null" });
