import { runView } from "../../../diagnostics/view.ts";
import { deploymentView } from "../../../views/deployment-view.ts";
import { checkSecretValues } from "../../../views/check.ts";
import { sourcesOf } from "../../../workspace/load-deployment.ts";
import { statusOf } from "../check/check-one.ts";
import { makeReporter } from "../check/reporters.ts";
import { loadDeploymentArgument } from "../../deployment-argument.ts";
import { type Invocation, textOption } from "../../command-definition.ts";

/** `qm-deploy secrets check`. */
export async function run(invocation: Invocation): Promise<number> {
  const loaded = await loadDeploymentArgument(invocation);
  if ("status" in loaded) return loaded.status;
  const { io } = invocation;
  const view = deploymentView(loaded.deployment, checkSecretValues(loaded.deployment), false);
  const sources = sourcesOf(loaded.deployment);
  const reporter = await makeReporter(textOption(invocation, "format") ?? "pretty", io, io.stdout, false);
  io.stdout.write(reporter.add(view, (file) => sources.get(file)));
  for (const text of reporter.end(runView([view], 0))) io.stdout.write(text);
  return statusOf(view);
}
