import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { grpcError } from "../boxd-fake/index.ts";

/** How the exchange of keys for tokens behaves; each may be changed at any time. */
export interface ExchangeRules {
  /** seconds that a token is good for */
  tokenSeconds: number;
  /** so many of the next exchanges are refused with 429 */
  limited: number;
}

/** The tokens of one plane: made from keys by `POST /api/v1/auth/token`, presented with every call. */
export class Tokens {
  readonly rules: ExchangeRules = { tokenSeconds: 3_600, limited: 0 };
  /** how often a key was exchanged */
  exchanges = 0;
  readonly #keys: readonly string[];
  readonly #issued = new Map<string, { readonly key: string; readonly expiresAt: number }>();

  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  /** Answers an exchange. */
  async exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = (status: number, body: object, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    };
    if (request.method !== "POST") {
      answer(405, { error: "method not allowed" });
      return;
    }
    const body: unknown = await text(request)
      .then(JSON.parse)
      .catch(() => undefined);
    const key: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "api_key") : undefined;
    if (this.rules.limited > 0) {
      this.rules.limited -= 1;
      answer(429, { error: "too many exchanges from this address" }, { "retry-after": "1" });
    } else if (typeof key !== "string" || !this.#keys.includes(key)) {
      answer(401, { error: "invalid or expired API key" });
    } else {
      this.exchanges += 1;
      const token = `test.${randomUUID()}`;
      const expiresAt = Math.floor(Date.now() / 1000) + this.rules.tokenSeconds;
      this.#issued.set(token, { key, expiresAt });
      answer(200, { token, expires_at: expiresAt });
    }
  }

  /** The key that a call's `authorization` stands for. UNAUTHENTICATED for what is no token, and for one that is over or was taken back. */
  keyOf(authorization: string | undefined): string {
    const token = /^Bearer (.+)$/.exec(authorization ?? "")?.[1];
    const issued = token === undefined ? undefined : this.#issued.get(token);
    if (issued === undefined) throw grpcError(16, token === undefined ? "missing bearer token" : "invalid token");
    if (Date.now() / 1000 >= issued.expiresAt) throw grpcError(16, "token expired");
    return issued.key;
  }

  /** Every token that was issued is refused from now on, as when its key is deleted. */
  revokeAll(): void {
    this.#issued.clear();
  }
}
