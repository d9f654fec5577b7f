import type { Deployment } from "../deployment/deployment.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { concernsSecretValue } from "../rules/blocking.ts";
import { runRules } from "../rules/run-rules.ts";

/** Stands where only the operator knows the value; everything around it can be rendered all the same. */
const PLACEHOLDER = "config/placeholder";

/** True for an error that goes away once the operator supplies a value: in `.env`, or for a placeholder of the config. */
function isOperatorValue(finding: Diagnostic, deployment: Deployment): boolean {
  return finding.rule === PLACEHOLDER || concernsSecretValue(finding, deployment);
}

/** Errors of a deployment that no value of the operator mends. */
export function unfit(deployment: Deployment): readonly Diagnostic[] {
  return runRules(deployment).filter(
    (finding) => finding.severity === "error" && !isOperatorValue(finding, deployment),
  );
}

/** True when init renders the deployment. */
export function isFit(deployment: Deployment): boolean {
  return unfit(deployment).length === 0;
}
