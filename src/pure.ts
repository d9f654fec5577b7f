/** The part of qm-deploy that needs no Node: from text to findings. Runs in a browser. */
export { applyChanges } from "./config/edit.ts";
export { loadConfig } from "./config/load.ts";
export type { LoadedConfig } from "./config/loaded.ts";
export type { WrittenConfig } from "./config/written.ts";
export type { Deployment, Secret, SecretDestination, Workload } from "./deployment/deployment.ts";
export type { DeploymentInputs, EnvFileInput, PackageFile, SkillsPath, TreeEntry } from "./deployment/inputs.ts";
export { resolveDeployment } from "./deployment/resolve.ts";
export type { Clause, ConfigChange, ConfigPath, Diagnostic, Fix, FixSafety, JsonValue, Severity } from "./diagnostics/diagnostic.ts";
export type { SourcePosition, SourceRange } from "./diagnostics/range.ts";
export type { RuleInfo } from "./diagnostics/rule-info.ts";
export type { SourceFile } from "./diagnostics/source.ts";
export type { DeploymentView, DiagnosticView, SecretView, Summary } from "./diagnostics/view.ts";
export { judge } from "./rules/judge.ts";
export { checkDeployment, secretsCatalogue } from "./views/check.ts";
export { deploymentView } from "./views/deployment-view.ts";
export { envExample } from "./views/env-example.ts";
export { ruleRegistry } from "./views/rule-registry.ts";
