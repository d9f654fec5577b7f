import { inspect } from "node:util";
import { classifyError, CleanupUnconfirmedError, redact, redactedTail, type BoxdErrorKind } from "../driver/index.ts";
import { ProviderError, type ProviderErrorCode } from "./container-provider.ts";

const CODES: { readonly [kind in BoxdErrorKind]?: ProviderErrorCode } = {
  "cleanup-unconfirmed": "CLEANUP_FAILED",
  insecure: "INSECURE_URL",
  aborted: "ABORTED",
};

/** What one provider must not say: the key, the container's environment, and the machine's name and address, by which anybody could reach it. */
export class SecretRedactor {
  readonly #secrets = new Set<string>();

  add(...secrets: readonly string[]): void {
    for (const secret of secrets) this.#secrets.add(secret);
  }

  /** The address, and its host alone. */
  addUrl(url: string): void {
    this.add(url, new URL(url).host);
  }

  /** The end of an output, masked first. */
  tail(output: string, maxChars: number): string {
    return redactedTail(output, this.#secrets, maxChars);
  }

  /**
   * The error itself where it says nothing secret; else a provider's error with its text masked, and without its cause, whose text would be
   * printed too.
   */
  redactError(error: unknown, code: ProviderErrorCode): Error {
    if (error instanceof ProviderError && !this.#isShownBy(error)) return error;
    const text = redact(error instanceof Error ? error.message : String(error), this.#secrets);
    const isInnocent = error instanceof Error && !(error instanceof CleanupUnconfirmedError) && !this.#isShownBy(error);
    const known = error instanceof ProviderError ? error.code : CODES[classifyError(error).kind];
    return new ProviderError(known ?? code, text, isInnocent ? { cause: error } : {});
  }

  #isShownBy(error: unknown): boolean {
    if (error === undefined || error === null) return false;
    // All that a log would print: fields, causes and what they hold.
    const said = inspect(error, { depth: Infinity, maxStringLength: Infinity, maxArrayLength: Infinity });
    return redact(said, this.#secrets) !== said;
  }
}
