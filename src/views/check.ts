import { loadConfig } from "../config/load.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { DeploymentInputs } from "../deployment/inputs.ts";
import { resolveDeployment } from "../deployment/resolve.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { RuleId } from "../diagnostics/rule-ids.generated.ts";
import type { Concern } from "../diagnostics/rule-info.ts";
import type { DeploymentView, SecretView } from "../diagnostics/view.ts";
import { concernOf } from "../rules/blocking.ts";
import { runRules } from "../rules/run-rules.ts";
import { knowsSecrets } from "../rules/services/service-list.ts";
import { deploymentView, secretView } from "./deployment-view.ts";

/** A whole check, step by step: from the files of a deployment to what every reporter prints. */
export function checkInputs(inputs: DeploymentInputs, options: { readonly strict?: boolean } = {}): DeploymentView {
  const loaded = loadConfig(inputs.config);
  const deployment = resolveDeployment(inputs, loaded);
  return checkDeployment(deployment, options);
}

/** Runs every rule on a deployment: what `check --format json` prints of it. `strict`: warnings count against `ok`. */
export function checkDeployment(deployment: Deployment, options: { readonly strict?: boolean } = {}): DeploymentView {
  return deploymentView(deployment, runRules(deployment), options.strict ?? false);
}

/** The secrets that a deployment needs or may use, sorted by name: reasons and destinations, never values. */
export function secretsCatalogue(deployment: Deployment): SecretView[] {
  return deployment.secrets.map(secretView);
}

/** Rules that `check` softens where the target's store may hold the value; here it must be in the file. */
const STRICT: ReadonlySet<RuleId> = new Set<RuleId>([
  "env-file/missing-secret",
  "env-file/no-database",
  "env-file/none",
  "env-file/placeholder",
  "env-file/reference",
]);

/** Faults of this toolkit are never left out. */
const REPORTED: readonly Concern[] = ["secret-values", "toolkit"];

/**
 * What is wrong with the secret values of a deployment, judged alike on every target. Where the config does not say which secrets
 * there are, its errors come along: nothing of which all is unknown passes.
 */
export function checkSecretValues(deployment: Deployment): Diagnostic[] {
  const isKnown = knowsSecrets(deployment);
  const isReported = (diagnostic: Diagnostic): boolean => {
    const concern = concernOf(diagnostic, deployment);
    return REPORTED.includes(concern) || (!isKnown && concern === "config" && diagnostic.severity === "error");
  };
  return runRules(deployment)
    .filter(isReported)
    .map((diagnostic) => (STRICT.has(diagnostic.rule) ? asError(diagnostic) : diagnostic));
}

/** No error that stops `render --secrets` is suppressed, be it that `check` has only a word to say. */
function asError(diagnostic: Diagnostic): Diagnostic {
  const { suppression: _, ...open } = diagnostic;
  return { ...open, severity: "error" };
}
