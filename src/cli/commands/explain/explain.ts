import type { Piece } from "../../../base/shown.ts";
import type { Deployment } from "../../../deployment/deployment.ts";
import { checkDeployment } from "../../../views/check.ts";
import { explain, type ExplainInputs } from "../../../views/explain/explain.ts";
import { suggestThing } from "../../../views/explain/suggest.ts";
import { environmentTable, type EnvironmentRow } from "../../../views/explain/environment-table.ts";
import { explanationText } from "../../../views/explain/text.ts";
import { provenanceText } from "../../../views/provenance.ts";
import { findRule } from "../../../rules/registry.ts";
import { configAt } from "../../../workspace/find-deployments.ts";
import { readTextFile } from "../../../workspace/read-file.ts";
import { PASSED } from "../../exit-status.ts";
import { deploymentPath, loadDeploymentArgument } from "../../deployment-argument.ts";
import { type Invocation, textOption, wantsJson } from "../../command-definition.ts";
import { deploymentHead, printJson, tableText, usageError } from "../../output.ts";

function rowText({ workload, name, value, origin, secret }: EnvironmentRow): Piece[] {
  if (secret !== null)
    return [
      `${workload}.${name}`,
      "(secret)",
      `${secret.required ? "required" : "optional"} secret ${secret.name}: ${secret.reason}`,
    ];
  return [`${workload}.${name}`, value ?? "", origin === null ? "" : provenanceText(origin)];
}

/** Rules, backends and releases are explained without a deployment too; one that is there and cannot be read is a problem all the same. */
async function findInputs(
  invocation: Invocation,
  thing: string | undefined,
): Promise<ExplainInputs | { readonly status: number }> {
  const { io } = invocation;
  const path = deploymentPath(io, textOption(invocation, "in"));
  const without: ExplainInputs = { deployment: null, checked: null };
  if (thing !== undefined && path !== "-") {
    const config = configAt(path, io.cwd);
    const isAbsent = readTextFile(config.path, config.file).problem?.rule === "input/missing";
    if (isAbsent && textOption(invocation, "in") === undefined && explain(thing, without).length > 0) return without;
  }
  const loaded = await loadDeploymentArgument(invocation, path);
  if ("status" in loaded) return loaded;
  return {
    deployment: loaded.deployment,
    checked: thing !== undefined && findRule(thing) !== undefined ? checkDeployment(loaded.deployment) : null,
  };
}

/** `qm-deploy explain`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const [thing] = args;
  const inputs = await findInputs(invocation, thing);
  if ("status" in inputs) return inputs.status;
  const { deployment } = inputs;
  if (thing === undefined) {
    const environment = environmentTable(deployment as Deployment);
    if (wantsJson(invocation)) printJson(io, { thing: null, ...deploymentHead(deployment), environment });
    else io.stdout.write(tableText([["NAME", "VALUE", "COMES FROM"], ...environment.map(rowText)]));
    return PASSED;
  }
  const subjects = explain(thing, inputs);
  if (subjects.length === 0) {
    const meant = suggestThing(thing, deployment);
    const hint = meant === null ? "`qm-deploy explain` lists every name" : `did you mean \`${meant}\`?`;
    return usageError(io, `nothing here is called \`${thing}\`; ${hint}`);
  }
  if (wantsJson(invocation)) printJson(io, { thing, ...deploymentHead(deployment), subjects });
  else io.stdout.write(explanationText(subjects));
  return PASSED;
}
