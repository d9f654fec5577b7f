import type { RuleInfo } from "../diagnostics/rule-info.ts";
import { SHAPE_RULES } from "./validation/rules.ts";
import { SYNTAX_RULES } from "./syntax/rules.ts";

/** What the findings of {@link loadConfig} say about themselves. */
export const CONFIG_RULES: readonly RuleInfo[] = [...SYNTAX_RULES, ...SHAPE_RULES];
