import type { Deployment } from "../deployment/deployment.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { blockingDiagnostics } from "../rules/blocking.ts";
import { runRules } from "../rules/run-rules.ts";

/** Errors of a deployment that stay when the operator has filled everything in. */
export function unfit(deployment: Deployment): readonly Diagnostic[] {
  return blockingDiagnostics("init", runRules(deployment), deployment);
}

/** True when init renders the deployment. */
export function isFit(deployment: Deployment): boolean {
  return unfit(deployment).length === 0;
}
