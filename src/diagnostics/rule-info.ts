import type { Clause, Severity } from "./diagnostic.ts";

/** What a rule says about itself: docs, `explain <rule>` and SARIF are made from it. */
export interface RuleInfo {
  /** `family/name`, kebab-case, never renamed. */
  readonly id: string;
  /** A short noun phrase: "Fly-only sandbox field". */
  readonly title: string;
  /** Severity it usually has; a finding may differ where the design says so. */
  readonly severity: Severity;
  readonly clause: Clause | null;
  /** Why the rule exists and what goes wrong without it; Markdown, one or two sentences. */
  readonly why: string;
  /** A small config fragment (JSONC) that fires it, and the mended one. */
  readonly bad: string;
  readonly good: string;
}
