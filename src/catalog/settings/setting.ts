import type { TargetName } from "../../config/written-config.ts";

/** What a release says about the words that settings take. A `Release` is one. */
export interface ReleaseWords {
  readonly coreBackends: readonly string[];
  readonly deployProviders: readonly string[];
  readonly securityScreen: readonly string[];
}

/** How a service reads a setting; each has a rule of its own, `settings/<kind>`, but for those that nobody checks. */
export type ReadingKind = "boolean" | "number" | "choice" | "url" | "email" | "text";

/**
 * What is wrong with a value. `boot`: the service does not start, which is an error where the release's runtime is known
 * and a warning where it is only likely. `error`: refused under every release. `warning`: something else happens.
 */
export interface SettingProblem {
  readonly severity: "boot" | "error" | "warning";
  /** Completes "`env.core.NAME` …": "is not a whole number". It never holds the value. */
  readonly message: string;
  readonly help: string;
  /** The value that was surely meant; it may be shown. */
  readonly meant?: string | undefined;
}

/** What a reading must know besides the value. */
export interface ReadingContext {
  readonly release: ReleaseWords;
  /** False where `NODE_ENV` of the service says something else than `production`, which lifts some checks. */
  readonly production: boolean;
  /** What the same process sees under another name; null where nothing is known to set it. */
  readonly other: (name: string) => string | null;
}

/** How a value is read and what comes of one that does not fit. */
export interface Reading {
  readonly kind: ReadingKind;
  /** Completes "takes …": "a number", "`pi` or `codex`". */
  readonly takes: (release: ReleaseWords) => string;
  /** The words that it takes, for completion and the schema; none where there is no list. */
  readonly words: ((release: ReleaseWords) => readonly string[]) | null;
  /** What a blank value means: the same as none, or as said here. */
  readonly blank: string | null;
  /** What a value that does not fit does, as a sentence without its end; null where nobody checks. */
  readonly otherwise: string | null;
  /** Judges a value as it is written; null where it is fine. Never throws. */
  readonly judge: (value: string, context: ReadingContext) => SettingProblem | null;
}

/** What may be said of a setting besides its name, purpose and reading. */
export interface SettingFacts {
  /** What the service takes where nothing sets it. */
  readonly default?: string;
  /** What init and docs show. */
  readonly example?: string;
  /** True when core does not start its backend without it. */
  readonly required?: true;
  /** Who sets it when the operator does not: "the target", "`publicUrl`". */
  readonly setBy?: string;
  /** Read only while another setting of the service has this value. */
  readonly when?: { readonly name: string; readonly is: string };
  /** Delivered as a secret: its value has no place in the config. */
  readonly isSecret?: true;
  /** True where rules of its own judge the value, so that its reading is for readers only; or the targets on which they do. */
  readonly ownRules?: true | readonly TargetName[];
}

/** An environment name that qm reads. */
export interface Setting extends SettingFacts {
  readonly name: string;
  /** One plain line that says what it is for. */
  readonly description: string;
  readonly reading: Reading;
}
