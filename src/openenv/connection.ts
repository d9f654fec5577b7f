import { request as requestHttps, type RequestOptions } from "node:https";

/** How to reach a machine's URL. Both as Node's `https.request` takes them. */
export interface Connection {
  /** PEM certificates to trust instead of the usual ones */
  ca?: string | readonly string[];
  lookup?: NonNullable<RequestOptions["lookup"]>;
}

/** The options of one request. */
export function requestOptions(connection: Connection): Pick<RequestOptions, "ca" | "lookup"> {
  const { ca, lookup } = connection;
  return {
    ...(ca === undefined ? {} : { ca: typeof ca === "string" ? ca : [...ca] }),
    ...(lookup === undefined ? {} : { lookup }),
  };
}

/** The status of a GET, or undefined when there was no answer before the signal. The body is not read. */
export function statusOf(url: string, connection: Connection, signal: AbortSignal): Promise<number | undefined> {
  return new Promise((resolve) => {
    // A connection of its own: one that is kept alive may belong to a server that has gone.
    const request = requestHttps(url, { ...requestOptions(connection), signal, agent: false }, (response) => {
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
  if (!URL.canParse(url) || new URL(url).protocol !== "https:") throw new TypeError("the base URL must be an https address");
  return url.replace(/\/+$/, "");
}
