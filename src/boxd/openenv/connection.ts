import { request as requestHttps, type Agent } from "node:https";

/** How to reach a machine's URL, for networks that need certificates, a proxy or a resolver of their own. */
export interface Connection {
  /** as `https.request` takes it */
  agent?: Agent;
}

/** The status of a GET, or undefined when there was no answer before the signal. The body is not read. */
export function statusOf(url: string, { agent }: Connection, signal: AbortSignal): Promise<number | undefined> {
  return new Promise((resolve) => {
    // By default a connection of its own: one that is kept alive may belong to a server that has gone.
    const request = requestHttps(url, { agent: agent ?? false, signal }, (response) => {
      response.on("error", () => undefined);
      response.destroy();
      resolve(response.statusCode);
    });
    request.on("error", () => resolve(undefined));
    request.end();
  });
}

/** Throws unless `url` is https, without showing it: a base URL is a secret. Answers it without a trailing slash. */
export function secureBase(url: string): string {
  if (!URL.canParse(url) || new URL(url).protocol !== "https:")
    throw new TypeError("the base URL must be an https address");
  return url.replace(/\/+$/, "");
}
