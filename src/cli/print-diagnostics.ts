import type { Deployment } from "../deployment/deployment.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { diagnosticView, unreadDeployment } from "../diagnostics/view.ts";
import { deploymentView } from "../views/deployment-view.ts";
import { sourcesOf } from "../workspace/load-deployment.ts";
import { makeReporter } from "./commands/check/reporters.ts";
import type { ProcessIo } from "./process-io.ts";

/** Prints some findings of a deployment to stderr as `check` shows them, without a summary. */
export async function printDiagnostics(
  io: ProcessIo,
  deployment: Deployment,
  findings: readonly Diagnostic[],
): Promise<void> {
  if (findings.length === 0) return;
  const reporter = await makeReporter("pretty", io, io.stderr, false);
  const sources = sourcesOf(deployment);
  io.stderr.write(reporter.add(deploymentView(deployment, findings, false), (file) => sources.get(file)));
}

/** Prints why an input could not be used to stderr. */
export async function printInputProblem(io: ProcessIo, problem: Diagnostic): Promise<void> {
  const reporter = await makeReporter("pretty", io, io.stderr, false);
  io.stderr.write(reporter.add(unreadDeployment(problem.file, [diagnosticView(problem)]), () => undefined));
}
