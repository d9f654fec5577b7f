import { INTERNAL_RULES } from "../../src/cli/internal-error.ts";
import type { RuleInfo } from "../../src/diagnostics/rule-info.ts";
import { ruleRegistry } from "../../src/views/rule-registry.ts";
import { INPUT_RULES } from "../../src/workspace/input-problem.ts";
import type { GeneratedFile } from "./lists.ts";
import { rulesPage } from "./rules-page.ts";
import { generateSchema } from "./schema.ts";

/** Everything that any command may report, each rule once. */
export function allRules(): RuleInfo[] {
  const rules = [...ruleRegistry().values(), ...INPUT_RULES, ...INTERNAL_RULES];
  return [...new Map(rules.map((rule) => [rule.id, rule])).values()];
}

/** The files for people and editors that follow from what the sources say of themselves. */
export function generatePages(): GeneratedFile[] {
  return [
    { path: "schema/qm.config.schema.json", text: `${JSON.stringify(generateSchema(), null, 2)}\n` },
    { path: "docs/rules.md", text: rulesPage(allRules()) },
  ];
}
