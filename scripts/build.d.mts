/** Builds dist/ when it is not what the sources say. */
export function ensureBuilt(options?: { readonly types?: boolean }): Promise<void>;
