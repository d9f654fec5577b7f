import type { RuleInfo } from "../diagnostics/rule-info.ts";
import { PREFIX_UNSET } from "./boxd/prefix-unset.ts";
import type { Rule } from "./rule.ts";
import { SANDBOX_RULES } from "./sandbox/index.ts";
import { SECRETS_RULES } from "./secrets/index.ts";

/** Every rule over one deployment, by family. */
export const RULES: readonly Rule[] = [...SANDBOX_RULES, PREFIX_UNSET, ...SECRETS_RULES];
