import type { Deployment } from "../deployment/deployment.ts";
import type { DeploymentView, SecretView } from "../diagnostics/view.ts";
import { runRules } from "../rules/run-rules.ts";
import { deploymentView, secretView } from "./deployment-view.ts";

/** Judges a deployment: what `check --format json` prints of it. `strict`: warnings count against `ok`. */
export function checkDeployment(deployment: Deployment, options: { readonly strict?: boolean } = {}): DeploymentView {
  return deploymentView(deployment, runRules(deployment), options.strict ?? false);
}

/** The secrets that a deployment needs or may use, sorted by name: reasons and destinations, never values. */
export function secretsCatalogue(deployment: Deployment): SecretView[] {
  return deployment.secrets.map(secretView);
}
