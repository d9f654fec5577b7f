import type { ConfigPath } from "../base/config-path.ts";
import type { Provenance } from "./provenance.ts";

/** The config places that an origin rests on; empty for defaults and what the target fixes. */
export function provenancePaths(origin: Provenance): readonly ConfigPath[] {
  if (origin.kind === "config") return [origin.path];
  return origin.kind === "derived" ? origin.from : [];
}

/** An origin for what was made from these config places, or, where there are none, what the target fixes. */
export function derivedFrom(from: readonly ConfigPath[], how: string): Provenance {
  return from.length === 0 ? { kind: "target", how } : { kind: "derived", from, how };
}
