import type { Clause, Severity } from "./diagnostic.ts";
import type { RuleId } from "./rule-ids.generated.ts";

/** What the findings of a rule are about; `blocking.ts` says which operation waits for which. */
export type Concern =
  /** The config and the files beside it. */
  | "config"
  /** Values that the operator still has to fill in into the config. */
  | "operator-values"
  /** `.env`, and the values of secrets in it. */
  | "secret-values"
  /** A file that cannot be used at all. */
  | "input"
  /** An artifact that cannot be rendered. */
  | "rendering"
  /** What `check` alone answers for: nothing that another command makes of this deployment is wrong for it. */
  | "gate"
  /** A fault of this toolkit itself. */
  | "toolkit";

/** What a rule says about itself: docs, `explain <rule>` and SARIF are made from it. */
export interface RuleInfo {
  /** `family/name`, kebab-case, never renamed. A new one is known to the compiler after `npm run generate`. */
  readonly id: RuleId;
  /** A short noun phrase: "Fly-only sandbox field". */
  readonly title: string;
  /** Severity it usually has; a finding may differ where the rule's text says so. */
  readonly severity: Severity;
  /** None where qm's contract says nothing of it. */
  readonly clause?: Clause;
  /** "config" where it is not said. */
  readonly concerns?: Concern;
  /** True where what it finds gives a secret away, so that it is never suppressed; so does each of clause `config.no-secret-values`. */
  readonly leaks?: boolean;
  /** Ids that it had before, which suppressions and `explain` still know. */
  readonly formerly?: readonly string[];
  /** Why the rule exists and what goes wrong without it; Markdown, one or two sentences. */
  readonly why: string;
  /** A small config fragment (JSONC) that fires it, and the corrected one; empty where no fragment can show it. */
  readonly bad: string;
  readonly good: string;
}
