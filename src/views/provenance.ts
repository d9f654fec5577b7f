import { showPath, type ConfigPath } from "../base/config-path.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { type Provenance, provenancePaths } from "../deployment/provenance.ts";

/** A place of the config; see docs/json.md. */
export type LocationView = ReturnType<typeof locationView>;

/** Where a value comes from, for people and programs; see docs/json.md. */
export type ProvenanceView = ReturnType<typeof provenanceView>;

/** Line and column are 1-based; where the field is not written, they are those of its parent. */
export function locationView({ document }: Deployment, path: ConfigPath) {
  const { start } = document.keyRange(path);
  return {
    field: showPath(path),
    file: document.file,
    line: start.line,
    column: start.column,
    written: document.node(path) !== undefined,
  };
}

/** No places for defaults and for what the target fixes; `how` is null for what is written as it is. */
export function provenanceView(deployment: Deployment, provenance: Provenance) {
  return {
    kind: provenance.kind,
    places: provenancePaths(provenance).map((path) => locationView(deployment, path)),
    release: provenance.kind === "default" ? provenance.release : null,
    how: provenance.kind === "config" ? null : provenance.how,
  };
}

function placeText({ field, file, line, column, written }: LocationView): string {
  return written ? `\`${field}\` (${file}:${line}:${column})` : `\`${field}\` (not set)`;
}

/** A provenance as a phrase: "`env.core.HARNESS` (qm.config.jsonc:7:5)". */
export function provenanceText({ kind, places, release, how }: ProvenanceView): string {
  const at = places.map(placeText).join(", ");
  if (kind === "config") return at;
  if (kind === "derived") return `derived from ${at}: ${how}`;
  return kind === "default" ? `default of qm ${release}: ${how}` : `fixed by the target: ${how}`;
}

/** A place as text, for lists. */
export function locationsText(places: readonly LocationView[]): string {
  return places.map(placeText).join(", ");
}
