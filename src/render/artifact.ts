import type { Diagnostic } from "../diagnostics/diagnostic.ts";

/** One rendered file. */
export interface Artifact {
  /** Path below `rendered/<target>/`, with `/`: "compose.yaml", "qm/qm.config.jsonc". Also what `--only` names. */
  readonly name: string;
  /** Ends with a newline. */
  readonly text: string;
  /** True for a file that holds secret values: written 0600, only under `--secrets`, and never into the manifest. */
  readonly secret: boolean;
}

/** What a renderer could not make, by name and never by value: an image that nobody pins, a value a dialect cannot carry. */
export interface Refusal extends Diagnostic {
  /** The artifact that is missing because of it. */
  readonly artifact: string;
}

/** Something true that an operator should know about what was rendered: optional secrets that were left out, and the like. */
export interface RenderNote {
  readonly artifact: string;
  readonly message: string;
}

/** The result of rendering: what could be made, and why the rest could not. */
export interface Rendered {
  /** Sorted by name; `manifest.json` included. */
  readonly artifacts: readonly Artifact[];
  readonly refusals: readonly Refusal[];
  readonly notes: readonly RenderNote[];
  /** The supplied names that shaped artifacts, sorted; what `manifest.json` says. */
  readonly envNames: readonly string[];
}

/** The address that published ports bind to where the operator asks for no other. */
export const DEFAULT_BIND = "127.0.0.1";

/** What the operator asked for. */
export interface RenderOptions {
  /** Also the files that hold secret values. */
  readonly secrets: boolean;
  /** aws: optional secrets also where `.env` does not name them. */
  readonly withOptional: boolean;
  /** Docker: the address that published ports bind to. */
  readonly bind: string;
  /** Relative path from `rendered/<target>/` to the deployment directory, `../..` by default. */
  readonly toDeployment: string;
  /** The way back: path of `rendered/<target>` from the deployment directory, for commands that people paste there. */
  readonly place: string;
  /**
   * Names of secrets that have a value somewhere: those of `.env`, else what the last manifest remembers of it. Only this set,
   * and never `.env` itself, may shape an artifact that is committed.
   */
  readonly supplied: ReadonlySet<string>;
  /** aws: an existing terraform.tfvars whose operator values and comments are kept; null when there is none. */
  readonly existingTfvars: string | null;
}
