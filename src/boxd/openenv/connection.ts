import type { Agent } from "node:https";
import { isLoopback } from "../driver/index.ts";

/** How to reach a machine's URL, for networks that need certificates, a proxy or a resolver of their own. */
export interface Connection {
  /** as `https.request` takes it */
  agent?: Agent;
}

/** Throws unless `url` is https, without showing it: a base URL is a secret. Answers it without a trailing slash. */
export function secureBase(url: string): string {
  if (!isOf("https:", url)) throw new TypeError("the base URL must be an https address");
  return withoutEnd(url);
}

/** The same for a client, which may also talk to a server on its own computer, where nobody listens in, by http. */
export function clientBase(url: string): string {
  const isLocal = isOf("http:", url) && isLoopback(new URL(url).hostname);
  if (!isLocal && !isOf("https:", url))
    throw new TypeError("the base URL must be an https address, or http on loopback");
  return withoutEnd(url);
}

function isOf(protocol: string, url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === protocol;
}

function withoutEnd(url: string): string {
  return url.replace(/\/+$/, "");
}

/** What Node's timers take: with a longer time they fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Throws unless `value` is left out or a length of time that a timer can keep; `what` names it for the message. */
export function assertMilliseconds(what: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== "number") throw new TypeError(`${what} must be a number of milliseconds`);
  if (!(value > 0 && value <= LONGEST_TIMER_MS))
    throw new RangeError(`${what} must be a number of milliseconds above 0, at most ${LONGEST_TIMER_MS}`);
}
