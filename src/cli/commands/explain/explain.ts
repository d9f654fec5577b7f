import { redactText } from "../../../base/redact.ts";
import type { Deployment } from "../../../deployment/deployment.ts";
import { printable, printableJson } from "../../../base/printable.ts";
import { checkDeployment } from "../../../views/check.ts";
import { explain, type ExplainInputs } from "../../../views/explain/explain.ts";
import { suggestThing } from "../../../views/explain/suggest.ts";
import { environmentTable, type EnvironmentRow } from "../../../views/explain/environment-table.ts";
import { explanationText } from "../../../views/explain/text.ts";
import { provenanceText } from "../../../views/provenance.ts";
import { findRule } from "../../../rules/registry.ts";
import { configAt } from "../../../workspace/find-deployments.ts";
import { readTextFile } from "../../../workspace/read-file.ts";
import { PASSED, USAGE } from "../../exit-status.ts";
import type { ProcessIo } from "../../process-io.ts";
import { loadDeploymentArgument } from "../../deployment-argument.ts";
import { type Invocation, textOption } from "../../command-definition.ts";
import { tableText } from "../../table.ts";

/** What every JSON object of this command begins with. */
function head(thing: string | null, deployment: Deployment | null): object {
  return {
    version: 1,
    thing,
    config: deployment?.inputs.config.file ?? null,
    target: deployment?.target ?? null,
    release:
      deployment === null
        ? null
        : {
            pinned: deployment.release.pinned,
            resolved: deployment.release.resolved,
            source: deployment.release.source,
          },
  };
}

function json(value: object): string {
  return printableJson(`${JSON.stringify(value, null, 2)}\n`);
}

function rowText({ workload, name, value, origin, secret }: EnvironmentRow): string[] {
  if (secret !== null)
    return [
      `${workload}.${name}`,
      "(secret)",
      `${secret.required ? "required" : "optional"} secret ${secret.name}: ${secret.reason}`,
    ];
  return [`${workload}.${name}`, value ?? "", origin === null ? "" : provenanceText(origin)];
}

function printTable(io: ProcessIo, deployment: Deployment, format: string | undefined): number {
  const rows = environmentTable(deployment);
  if (format === "json") io.stdout.write(json({ ...head(null, deployment), environment: rows }));
  else io.stdout.write(tableText([["NAME", "VALUE", "COMES FROM"], ...rows.map(rowText)]));
  return PASSED;
}

/** Rules, backends and releases are explained without a deployment too; one that is there and cannot be read is a problem all the same. */
async function findInputs(
  invocation: Invocation,
  thing: string | undefined,
): Promise<ExplainInputs | { readonly status: number }> {
  const { io } = invocation;
  const path = textOption(invocation, "in") ?? ".";
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
  const { io } = invocation;
  const [thing] = invocation.args;
  const format = textOption(invocation, "format");
  const inputs = await findInputs(invocation, thing);
  if ("status" in inputs) return inputs.status;
  if (thing === undefined) return printTable(io, inputs.deployment as Deployment, format);
  const subjects = explain(thing, inputs);
  if (subjects.length === 0) {
    const meant = suggestThing(thing, inputs.deployment);
    io.stderr.write(
      printable(
        `error: nothing here is called \`${redactText(thing)}\`${meant === null ? "; `qm-deploy explain` lists every name" : `; did you mean \`${meant}\`?`}`,
      ) + "\n",
    );
    return USAGE;
  }
  io.stdout.write(
    format === "json" ? json({ ...head(thing, inputs.deployment), subjects }) : explanationText(subjects),
  );
  return PASSED;
}
