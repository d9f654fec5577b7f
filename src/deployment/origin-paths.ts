import type { ConfigPath } from "../base/config-path.ts";
import type { Origin } from "./provenance.ts";

/** The config places that an origin rests on; empty for defaults and what the target fixes. */
export function originPaths(origin: Origin): readonly ConfigPath[] {
  if (origin.kind === "config") return [origin.path];
  return origin.kind === "derived" ? origin.from : [];
}

/** An origin for what was made from these config places, or, where there are none, what the target fixes. */
export function madeFrom(from: readonly ConfigPath[], how: string): Origin {
  return from.length === 0 ? { kind: "target", how } : { kind: "derived", from, how };
}
