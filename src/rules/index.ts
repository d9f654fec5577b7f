import { PREFIX_UNSET } from "./boxd/prefix-unset.ts";
import { ENV_FILE_RULES } from "./env-file/index.ts";
import type { Rule } from "./rule.ts";
import { SANDBOX_RULES } from "./sandbox/index.ts";
import { SECRETS_RULES } from "./secrets/index.ts";

/** Every rule over one deployment, family by family; the order is that of docs/rules.md and means nothing else. */
export const RULES: readonly Rule[] = [
  ...SANDBOX_RULES,
  PREFIX_UNSET,
  ...SECRETS_RULES,
  ...ENV_FILE_RULES,
];
