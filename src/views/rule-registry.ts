import { CONFIG_RULES } from "../config/rules.ts";
import { DEPLOYMENT_RULES } from "../deployment/release/rules.ts";
import { compareText } from "../base/text-order.ts";
import type { RuleInfo } from "../diagnostics/rule-info.ts";
import { RENDER_RULES } from "../render/refusal.ts";
import { RULES } from "../rules/index.ts";
import { BROKEN_RULE } from "../rules/run-rules.ts";
import { SHARED_MACHINES_RULES } from "../rules/shared-machines.ts";

/** Everything that pure code may report, by id, sorted. Docs, SARIF and `explain <rule>` read it. */
export function ruleRegistry(): Map<string, RuleInfo> {
  const all: readonly RuleInfo[] = [
    ...CONFIG_RULES,
    ...DEPLOYMENT_RULES,
    ...RULES,
    ...SHARED_MACHINES_RULES,
    ...RENDER_RULES,
    BROKEN_RULE,
  ];
  return new Map([...all].sort((a, b) => compareText(a.id, b.id)).map((rule) => [rule.id, rule]));
}
