import type { TargetName } from "../config/written-config.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { Artifact, Refusal, RenderNote, RenderOptions } from "./artifact.ts";

/** What every renderer gets: a deployment whose target is known, and what the operator asked for. */
export interface RenderContext {
  readonly deployment: Deployment;
  readonly target: TargetName;
  readonly options: RenderOptions;
}

/** What one renderer gives: the part of {@link Rendered} that it makes. */
export interface Piece {
  readonly artifacts: readonly Artifact[];
  readonly refusals: readonly Refusal[];
  readonly notes: readonly RenderNote[];
}

/** One family of artifacts. Pure, and never throws for a deployment that has problems: what cannot be made is refused. */
export type Renderer = (context: RenderContext) => Piece;

/** A piece with the parts that were not given empty. */
export function piece(parts: Partial<Piece>): Piece {
  return { artifacts: parts.artifacts ?? [], refusals: parts.refusals ?? [], notes: parts.notes ?? [] };
}

/** Joins pieces in order. */
export function joinPieces(pieces: readonly Piece[]): Piece {
  return {
    artifacts: pieces.flatMap((one) => one.artifacts),
    refusals: pieces.flatMap((one) => one.refusals),
    notes: pieces.flatMap((one) => one.notes),
  };
}
