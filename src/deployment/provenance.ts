import type { Release } from "../catalog/releases/release.ts";
import type { ConfigPath } from "../base/config-path.ts";

/** Where a rendered value comes from. */
export type Provenance =
  /** Written at this place of the config. */
  | { readonly kind: "config"; readonly path: ConfigPath }
  /** Computed from these places of the config; `how` says in a few words how. */
  | { readonly kind: "derived"; readonly from: readonly ConfigPath[]; readonly how: string }
  /** A default or template value of the release. */
  | { readonly kind: "default"; readonly release: string; readonly how: string }
  /** Fixed by the hosting target; nothing in the config changes it. */
  | { readonly kind: "target"; readonly how: string };

/** One entry of a workload's non-secret environment. */
export interface EnvironmentEntry {
  readonly name: string;
  readonly value: string;
  readonly provenance: Provenance;
  /** Values that lost against this one, weakest first. */
  readonly shadowed: readonly { readonly value: string; readonly provenance: Provenance }[];
}

/** The config places that a provenance names; empty for defaults and what the target fixes. */
export function provenancePaths(provenance: Provenance): readonly ConfigPath[] {
  if (provenance.kind === "config") return [provenance.path];
  return provenance.kind === "derived" ? provenance.from : [];
}

/** The provenance of what was made from these config places, or, where there are none, of what the target fixes. */
export function derivedFrom(from: readonly ConfigPath[], how: string): Provenance {
  return from.length === 0 ? { kind: "target", how } : { kind: "derived", from, how };
}

/** Of a value that is written at this place. */
export function writtenAt(path: ConfigPath): Provenance {
  return { kind: "config", path };
}

/** Of a value that the hosting target fixes. */
export function fixedBy(how: string): Provenance {
  return { kind: "target", how };
}

/** Of a default or template value of the release. */
export function defaultOf({ version }: Release, how: string): Provenance {
  return { kind: "default", release: version, how };
}
