export declare const PLAYGROUND_DIST: string;
export declare function buildPlayground(out?: string): Promise<void>;
export declare function playgroundSizes(out?: string): {
  readonly initial: { readonly [name: string]: number };
  readonly later: { readonly [name: string]: number };
};
