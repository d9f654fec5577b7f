import { ours, plainText, type Shown, shown } from "../../../base/shown.ts";
import type { Deployment } from "../../../deployment/deployment.ts";
import { envExample } from "../../../render/env-example.ts";
import { isCommittedSecret } from "../../../rules/blocking.ts";
import { runRules } from "../../../rules/run-rules.ts";
import { deploymentView, secretView } from "../../../views/deployment-view.ts";
import { checkSecretValues } from "../../../views/check.ts";
import { sourcesOf } from "../../../workspace/load-deployment.ts";
import { type Invocation, textOption, wantsJson } from "../../command-definition.ts";
import { loadDeploymentArgument } from "../../deployment-argument.ts";
import { PASSED, PROBLEMS } from "../../exit-status.ts";
import { deploymentHead, printError, printJson, tableText } from "../../output.ts";
import { printDiagnostics, reportRun, statusOf } from "../../reporting.ts";

function secretsTable({ inputs, target, release, secrets }: Deployment): Shown {
  const rows = secrets.map((secret) => [
    secret.name,
    secret.required ? "required" : "optional",
    secret.managedBy,
    secret.destinations
      .map(({ workload, env }) => (env === secret.name ? workload : `${workload} as ${env}`))
      .join(", ") || "-",
    secret.reason,
  ]);
  const table = tableText([["NAME", "NEEDED", "FROM", "READ BY", "WHY"], ...rows]);
  return shown`${plainText(inputs.config.file)}: ${target ?? "no target"}, release ${release.resolved}, ${secrets.length} secrets\n\n${table}`;
}

/** `qm-deploy secrets`. */
export async function list(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const loaded = await loadDeploymentArgument(invocation);
  if ("status" in loaded) return loaded.status;
  const { deployment } = loaded;
  if (wantsJson(invocation)) {
    const secrets = deployment.secrets.map((secret) => ({ ...secretView(secret), description: secret.description }));
    printJson(io, { ...deploymentHead(deployment), secrets });
  } else io.stdout.write(secretsTable(deployment));
  return PASSED;
}

/** `qm-deploy secrets example`. */
export async function example(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const loaded = await loadDeploymentArgument(invocation);
  if ("status" in loaded) return loaded.status;
  const { deployment } = loaded;
  const committed = runRules(deployment).filter(isCommittedSecret);
  if (committed.length > 0) {
    await printDiagnostics(io, deployment, committed);
    printError(io, "nothing was printed: the example is to be committed, and a secret would be in it");
    return PROBLEMS;
  }
  io.stdout.write(ours(envExample(deployment)));
  return PASSED;
}

/** `qm-deploy secrets check`. */
export async function check(invocation: Invocation): Promise<number> {
  const loaded = await loadDeploymentArgument(invocation);
  if ("status" in loaded) return loaded.status;
  const { deployment } = loaded;
  const view = deploymentView(deployment, checkSecretValues(deployment), false);
  await reportRun(invocation.io, [{ view, sources: sourcesOf(deployment) }], {
    format: textOption(invocation, "format"),
  });
  return statusOf(view);
}
