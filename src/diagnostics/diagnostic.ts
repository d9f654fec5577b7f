import type { ConfigPath } from "../base/config-path.ts";
import type { JsonValue } from "../base/json.ts";
import type { SourceRange } from "./source.ts";
import type { RuleId } from "./rule-ids.generated.ts";

/** Errors fail a run, warnings fail it under `--strict`, infos never do. */
export type Severity = "error" | "warning" | "info";

/** The clause of qm's deployment contract that a finding belongs to; null where qm has none. */
export type Clause =
  | "config.v1"
  | "config.secretEnv"
  | "config.no-secret-values"
  | "secrets.computed-set"
  | "sandbox.descriptors"
  | "plugins.resolved";

/** One change of what a config document says. */
export type ValueChange =
  | { readonly kind: "set"; readonly path: ConfigPath; readonly value: JsonValue }
  | { readonly kind: "remove"; readonly path: ConfigPath }
  | { readonly kind: "rename"; readonly path: ConfigPath; readonly key: string };

/** Makes another comment of one at these offsets, or takes it out where `text` is "". What the document says stays. */
export interface CommentChange {
  readonly kind: "comment";
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One change of a config document. Changes of a fix are applied in order, each to the text that the one before left. */
export type ConfigChange = ValueChange | CommentChange;

/** `safe`: the meaning is certain, `--fix` applies it. `suggested`: a likely intention, `--fix=all` applies it. */
export type FixSafety = "safe" | "suggested";

/** Changes of `qm.config.jsonc` that resolve a diagnostic; none for a fault of syntax, which all are repaired at once. */
export interface Fix {
  readonly safety: FixSafety;
  /** What applying it does, as a short imperative: "remove `sandbox.app`". */
  readonly title: string;
  readonly changes: readonly ConfigChange[];
}

/** Why a finding is left out of the report and of the verdict, and where that is written (docs/suppressions.md). */
export interface Suppression {
  /** What its author says; one line. */
  readonly reason: string;
  /** As {@link SourceFile.file}. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
}

/** Another place that a finding is about: where the first of two was written, or what it disagrees with. */
export interface RelatedPlace {
  /** As {@link Diagnostic.file}. */
  readonly file: string;
  readonly range: SourceRange;
  /** What stands there, as a label of a few words: "first written here". */
  readonly message: string;
}

/** One finding. Holds no colour, no secret value and no text that is not safe to print after {@link printable}. */
export interface Diagnostic {
  readonly rule: RuleId;
  readonly clause: Clause | null;
  readonly severity: Severity;
  /** What is wrong, naming the field as the user wrote it. One line, lower-case start, no full stop. */
  readonly message: string;
  /** What to do about it. One line, complete without `command`. */
  readonly help: string;
  /** The command that does it or shows what is needed, to be run in the deployment directory; null where there is none. */
  readonly command: string | null;
  /** The file at fault, as {@link SourceFile.file}. */
  readonly file: string;
  /** The key or value at fault; null where the finding is about the whole file. */
  readonly range: SourceRange | null;
  /** The other places that it is about, in the order in which to look at them; none where it is not said. */
  readonly related?: readonly RelatedPlace[];
  readonly fix: Fix | null;
  /** Left out where nobody suppressed it. */
  readonly suppression?: Suppression;
}
