import { compareText } from "../base/text-order.ts";
import { CONFIG_RULES } from "../config/rules.ts";
import { DEPLOYMENT_RULES } from "../deployment/release/rules.ts";
import type { RuleId } from "../diagnostics/rule-ids.generated.ts";
import type { RuleInfo } from "../diagnostics/rule-info.ts";
import { ACCOUNT_RULES } from "./aws/account.ts";
import { DEPLOY_IMAGE_RULES } from "./aws/deploy-image.ts";
import { HTTPS_RULES } from "./aws/https.ts";
import { AWS_WORKLOAD_RULES } from "./aws/workloads.ts";
import { IMAGE_RULES } from "./config/images.ts";
import { OTHER_TARGET_RULES } from "./config/other-target.ts";
import { UNSUPPORTED_FIELD_RULES } from "./config/unsupported-field.ts";
import { DOCKER_RULES } from "./docker/public-url-port.ts";
import { ENV_FILE_TEXT_RULES } from "./envfile/file.ts";
import { MISSING_SECRET_RULES } from "./envfile/missing.ts";
import { ENV_FILE_NAME_RULES } from "./envfile/names.ts";
import { SECRET_FORM_RULES } from "./envfile/values.ts";
import { FLY_MACHINE_RULES } from "./fly/machines.ts";
import { FLY_REQUIRED_RULES } from "./fly/required.ts";
import { APPROVAL_RULES } from "./layer/approvals.ts";
import { CREDENTIAL_PATH_RULES } from "./layer/credential-paths.ts";
import { LAYER_DIRECTORY_RULES } from "./layer/directories.ts";
import { EGRESS_RULES } from "./layer/egress.ts";
import { INSTALL_RULES } from "./layer/install.ts";
import { SKILL_RULES } from "./layer/skill.ts";
import { TOOL_FIELD_RULES } from "./layer/tool-fields.ts";
import { TOOL_JSON_RULES } from "./layer/tool-json.ts";
import { MODEL_RULES } from "./model/provider-and-harness.ts";
import { PLUGIN_RULES } from "./plugins/declared.ts";
import { PLUGIN_DIRECTORY_RULES } from "./plugins/directories.ts";
import { ALLOWED_RULES } from "./portal/allowed.ts";
import { SIGN_IN_RULES } from "./portal/sign-in.ts";
import { BACKEND_BY_ENV_RULES } from "./sandbox/backend-by-env.ts";
import { BACKEND_CHOICE_RULES } from "./sandbox/backend-choice.ts";
import { BACKEND_NAME_RULES } from "./sandbox/backend-names.ts";
import { LAYER_IMAGE_RULES } from "./sandbox/layer-image.ts";
import { MACHINE_NAME_RULES } from "./sandbox/machine-names.ts";
import { NO_BACKEND_RULES } from "./sandbox/no-backend.ts";
import { RELEASE_SUPPORT_RULES } from "./sandbox/release-support.ts";
import { REMOTE_AGENT_RULES } from "./sandbox/remote-agents.ts";
import { SANDBOX_FIELD_RULES } from "./sandbox/sandbox-fields.ts";
import { SETTING_RULES } from "./sandbox/settings.ts";
import { UNDELIVERED_FILE_RULES } from "./sandbox/undelivered-files.ts";
import { NAME_CONFLICT_RULES } from "./secrets/name-conflicts.ts";
import { SECRET_ENV_RULES } from "./secrets/secret-env.ts";
import { SECRET_VALUE_RULES } from "./secrets/value-in-config.ts";
import { DISABLED_SERVICE_RULES } from "./services/disabled-service.ts";
import { ENV_LAYER_RULES } from "./services/env-layers.ts";
import { MANAGED_ENV_RULES } from "./services/managed-env.ts";
import { SERVICE_LIST_RULES } from "./services/service-list.ts";
import { SKILLS_RULES } from "./skills/skills.ts";
import { OPERATION_RULES } from "./operation-rules.ts";
import type { Rule } from "./rule.ts";
import { SHARED_MACHINES_RULES } from "./shared-machines.ts";

/** The rules about `.env` and the values in it. */
const ENV_FILE_RULES = [
  ...MISSING_SECRET_RULES,
  ...SECRET_FORM_RULES,
  ...ENV_FILE_TEXT_RULES,
  ...ENV_FILE_NAME_RULES,
].map((rule): Rule => ({ ...rule, concerns: "secret-values" }));

/** Every rule over one deployment; the order means nothing. */
export const RULES: readonly Rule[] = [
  ...BACKEND_NAME_RULES,
  ...BACKEND_CHOICE_RULES,
  ...NO_BACKEND_RULES,
  ...BACKEND_BY_ENV_RULES,
  ...SANDBOX_FIELD_RULES,
  ...LAYER_IMAGE_RULES,
  ...SETTING_RULES,
  ...REMOTE_AGENT_RULES,
  ...RELEASE_SUPPORT_RULES,
  ...UNDELIVERED_FILE_RULES,
  ...MACHINE_NAME_RULES,
  ...SECRET_VALUE_RULES,
  ...SECRET_ENV_RULES,
  ...NAME_CONFLICT_RULES,
  ...SERVICE_LIST_RULES,
  ...DISABLED_SERVICE_RULES,
  ...MANAGED_ENV_RULES,
  ...ENV_LAYER_RULES,
  ...SIGN_IN_RULES,
  ...ALLOWED_RULES,
  ...MODEL_RULES,
  ...IMAGE_RULES,
  ...OTHER_TARGET_RULES,
  ...UNSUPPORTED_FIELD_RULES,
  ...DOCKER_RULES,
  ...FLY_REQUIRED_RULES,
  ...FLY_MACHINE_RULES,
  ...ACCOUNT_RULES,
  ...AWS_WORKLOAD_RULES,
  ...HTTPS_RULES,
  ...DEPLOY_IMAGE_RULES,
  ...PLUGIN_DIRECTORY_RULES,
  ...PLUGIN_RULES,
  ...SKILLS_RULES,
  ...APPROVAL_RULES,
  ...CREDENTIAL_PATH_RULES,
  ...EGRESS_RULES,
  ...LAYER_DIRECTORY_RULES,
  ...INSTALL_RULES,
  ...SKILL_RULES,
  ...TOOL_FIELD_RULES,
  ...TOOL_JSON_RULES,
  ...ENV_FILE_RULES,
];

/** Everything that anything of qm-deploy may report. */
export const ALL_RULES: readonly RuleInfo[] = [
  ...CONFIG_RULES,
  ...DEPLOYMENT_RULES,
  ...RULES,
  ...SHARED_MACHINES_RULES,
  ...OPERATION_RULES,
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

/** The rule that a text names; undefined where it is no id of a rule. */
export function findRule(text: string): RuleInfo | undefined {
  return ruleRegistry().get(text as RuleId);
}
