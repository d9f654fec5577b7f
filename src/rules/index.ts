import { AWS_RULES } from "./aws/index.ts";
import { PREFIX_UNSET } from "./boxd/prefix-unset.ts";
import { UNKNOWN_SETTING } from "./boxd/unknown-setting.ts";
import { FIELD_RULES } from "./config/index.ts";
import { DOCKER_RULES } from "./docker/index.ts";
import { ENV_FILE_RULES } from "./envfile/index.ts";
import { FLY_RULES } from "./fly/index.ts";
import { LAYER_RULES } from "./layer/index.ts";
import { MODEL_RULES } from "./model/index.ts";
import { PLUGINS_RULES } from "./plugins/index.ts";
import { PORTAL_RULES } from "./portal/index.ts";
import type { Rule } from "./rule.ts";
import { SANDBOX_RULES } from "./sandbox/index.ts";
import { SECRETS_RULES } from "./secrets/index.ts";
import { SERVICES_RULES } from "./services/index.ts";
import { SKILLS_RULES } from "./skills/index.ts";
import { choosingFrom, type RuleChoice } from "./subject.ts";

/** Every rule over one deployment, family by family; the order is that of docs/rules.md and means nothing else. */
export const RULES: readonly Rule[] = [
  ...SANDBOX_RULES,
  PREFIX_UNSET,
  UNKNOWN_SETTING,
  ...SECRETS_RULES,
  ...ENV_FILE_RULES,
  ...SERVICES_RULES,
  ...PORTAL_RULES,
  ...MODEL_RULES,
  ...FIELD_RULES,
  ...DOCKER_RULES,
  ...FLY_RULES,
  ...AWS_RULES,
  ...PLUGINS_RULES,
  ...SKILLS_RULES,
  ...LAYER_RULES,
];

/** The rules that may find something in a deployment. */
export const rulesFor: RuleChoice = choosingFrom(RULES);
