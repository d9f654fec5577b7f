import { ours, plainText, type Shown, shown } from "../../../base/shown.ts";
import type { Deployment } from "../../../deployment/deployment.ts";
import { envExample } from "../../../render/env-example.ts";
import { isCommittedSecret } from "../../../rules/blocking.ts";
import { runRules } from "../../../rules/run-rules.ts";
import { knowsSecrets } from "../../../rules/services/service-list.ts";
import { deploymentView, describedSecrets } from "../../../views/deployment-view.ts";
import { checkSecretValues } from "../../../views/check.ts";
import { loadUsable, sourcesOf } from "../../../workspace/load-deployment.ts";
import { type Invocation, wantsJson } from "../../command-definition.ts";
import { loadDeploymentArgument, loadFlags } from "../../deployment-argument.ts";
import { deploymentsAt, eachDeployment } from "../../each-deployment.ts";
import { PASSED, PROBLEMS } from "../../exit-status.ts";
import { deploymentHead, printError, printJson, tableText, usageError } from "../../output.ts";
import { progressOf } from "../../progress.ts";
import { referenceResolver } from "../../references.ts";
import { printDiagnostics, reportFlags, reportRun, statusOf } from "../../reporting.ts";
import { unreadable } from "../check/check-one.ts";

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
    printJson(io, { ...deploymentHead(deployment), secrets: describedSecrets(deployment) });
  } else io.stdout.write(secretsTable(deployment));
  if (knowsSecrets(deployment)) return PASSED;
  printError(io, INCOMPLETE, MEND);
  return PROBLEMS;
}

const INCOMPLETE = "the config does not say which services run and where, so secrets that are needed may be missing";
const MEND = "mend what `qm-deploy check` finds first";

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
  if (!knowsSecrets(deployment)) {
    printError(io, `nothing was printed: ${INCOMPLETE}`, MEND);
    return PROBLEMS;
  }
  io.stdout.write(ours(envExample(deployment)));
  return PASSED;
}

/** `qm-deploy secrets check`. */
export async function check(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const report = reportFlags(invocation);
  if (typeof report === "string") return usageError(io, report);
  const flags = loadFlags(invocation);
  const resolve = await referenceResolver(invocation);
  const checked = await eachDeployment(io, deploymentsAt(io, args), progressOf(io, "checking", report), {
    async on(config, how) {
      const loaded = loadUsable(config, { ...flags, ...how });
      if (loaded.problem !== undefined) return unreadable(loaded.problem, config.file);
      const deployment = await resolve(loaded.deployment);
      const view = deploymentView(deployment, checkSecretValues(deployment), false);
      return { view, sources: sourcesOf(deployment), status: statusOf(view) };
    },
    failed: unreadable,
  });
  await reportRun(io, checked, { ...report, inFull: "qm-deploy secrets check --all" });
  return Math.max(PASSED, ...checked.map(({ status }) => status));
}
