import { compareText } from "../base/text-order.ts";
import { CONFIG_RULES } from "../config/rules.ts";
import { DEPLOYMENT_RULES } from "../deployment/release/rules.ts";
import type { RuleId } from "../diagnostics/rule-ids.generated.ts";
import type { RuleInfo } from "../diagnostics/rule-info.ts";
import { RULES } from "./all.generated.ts";
import { OPERATION_RULES } from "./operation-rules.ts";
import { ALL_SUPPRESSION_RULES } from "./suppression/rules.ts";
import { SHARED_MACHINES } from "./sandbox/machine-names.ts";

/** Everything that anything of qm-deploy may report. */
export const ALL_RULES: readonly RuleInfo[] = [
  ...CONFIG_RULES,
  ...DEPLOYMENT_RULES,
  ...RULES.map((rule): RuleInfo => ({ severity: "error", ...rule })),
  SHARED_MACHINES,
  ...OPERATION_RULES,
  ...ALL_SUPPRESSION_RULES,
];

let registry: ReadonlyMap<RuleId, RuleInfo> | undefined;

/** The same by id, sorted. Docs, SARIF, `explain <rule>` and {@link RuleId} are made from it. */
export function ruleRegistry(): ReadonlyMap<RuleId, RuleInfo> {
  registry ??= new Map([...ALL_RULES].sort((a, b) => compareText(a.id, b.id)).map((rule) => [rule.id, rule]));
  return registry;
}

/** What is known of a rule. */
export function ruleInfo(id: RuleId): RuleInfo {
  return ruleRegistry().get(id) as RuleInfo;
}

let byOlderId: ReadonlyMap<string, RuleInfo> | undefined;

/** The rule that a text names, by the id that it has or had; undefined where it is no id of a rule. */
export function findRule(text: string): RuleInfo | undefined {
  byOlderId ??= new Map(ALL_RULES.flatMap((rule) => (rule.formerly ?? []).map((id) => [id, rule])));
  return ruleRegistry().get(text as RuleId) ?? byOlderId.get(text);
}
