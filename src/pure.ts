/** The part of qm-deploy that needs no Node: from text to findings, files and explanations. Runs in a browser. */
export {
  checkText,
  type CheckTextOptions,
  type Drawn,
  drawText,
  type FixedText,
  fixText,
  type RenderedText,
  type RenderedTexts,
  renderText,
  type SecretsOfText,
  secretsOfText,
  type SecretText,
} from "./views/from-text.ts";
export type { Completion } from "./views/complete/completion.ts";
export { completeEnvTextAt, completeTextAt } from "./views/complete/from-text.ts";
export { type ExplainedPlace, type ExplainedText, explainText, explainTextAt } from "./views/explain/from-text.ts";
export type { Printed, TextOptions } from "./views/loaded-text.ts";
export type { DeploymentFiles, TextSurroundings } from "./deployment/files.ts";
export { applyChanges } from "./config/edit.ts";
export { type LoadedConfig, loadConfig } from "./config/load.ts";
export { RELEASE_VERSIONS } from "./catalog/releases/index.ts";
export { TARGET_NAMES, type TargetName, type WrittenConfig } from "./config/written-config.ts";
export type { Deployment, Secret, SecretDestination, Workload } from "./deployment/deployment.ts";
export type { DeploymentInputs, EnvFileInput, PackageFile, SkillsPath, TreeEntry } from "./deployment/inputs.ts";
export { resolveDeployment } from "./deployment/resolve.ts";
export type { ConfigPath } from "./base/config-path.ts";
export type { JsonValue } from "./base/json.ts";
export type {
  Clause,
  ConfigChange,
  Diagnostic,
  Fix,
  FixSafety,
  Severity,
  Suppression,
} from "./diagnostics/diagnostic.ts";
export type { SourcePosition, SourceRange } from "./diagnostics/source.ts";
export type { RuleId } from "./diagnostics/rule-ids.generated.ts";
export type { Concern, RuleInfo } from "./diagnostics/rule-info.ts";
export type { SourceFile } from "./diagnostics/source.ts";
export type { DeploymentView, DiagnosticView, SecretView, Summary } from "./diagnostics/view.ts";
export { runRules } from "./rules/run-rules.ts";
export { checkDeployment, checkInputs, secretsCatalogue } from "./views/check.ts";
export { deploymentView } from "./views/deployment-view.ts";
export { envExample } from "./render/env-example.ts";
export { ruleRegistry } from "./rules/registry.ts";
