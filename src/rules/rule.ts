import type { ConfigPath } from "../base/config-path.ts";
import type { Fix, Severity } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/range.ts";
import type { RuleInfo } from "../diagnostics/rule-info.ts";
import type { Deployment } from "../deployment/deployment.ts";

/** Where a finding points. */
export type FindingPlace =
  /** The key token of this path (default), or its value; a missing key points at its parent's key or opening brace. */
  | { readonly path: ConfigPath; readonly at?: "key" | "value" }
  /** A place in another file (`.env`, tool.json). */
  | { readonly file: string; readonly range: SourceRange | null };

/** A finding of a rule, before the rule's own facts are added to it. */
export interface Finding {
  readonly message: string;
  readonly help: string;
  /** As {@link Diagnostic.command}; none where it is not said. */
  readonly command?: string | undefined;
  readonly place: FindingPlace;
  readonly severity?: Severity;
  readonly fix?: Fix;
}

/** Takes what a rule finds, at once: what it reported before it threw is kept. */
export type Report = (finding: Finding) => void;

/** One check over a resolved deployment. Never throws for bad input. */
export interface Rule extends RuleInfo {
  readonly check: (deployment: Deployment, report: Report) => void;
}
