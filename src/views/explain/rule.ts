import type { DeploymentView } from "../../diagnostics/view.ts";
import type { RuleInfo } from "../../diagnostics/rule-info.ts";
import type { RuleExplanation } from "./explanation.ts";

/** A rule, with what it says about a judged deployment (null: without one). */
export function explainRule(rule: RuleInfo, judged: DeploymentView | null): RuleExplanation {
  const { id, title, severity, clause, why, bad, good } = rule;
  const findings = judged?.diagnostics
    .filter((finding) => finding.rule === id)
    .map(({ file, range, message, help }) => ({
      file,
      line: range?.start.line ?? null,
      column: range?.start.column ?? null,
      message,
      help,
    }));
  return {
    kind: "rule",
    id,
    title,
    severity,
    clause,
    why,
    bad,
    good,
    docs: `docs/rules.md#${id}`,
    findings: findings ?? null,
  };
}
