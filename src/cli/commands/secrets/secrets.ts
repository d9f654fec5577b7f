import type { Deployment } from "../../../deployment/deployment.ts";
import { printable, printableJson } from "../../../base/printable.ts";
import { secretView } from "../../../views/deployment-view.ts";
import { PASSED } from "../../exit-status.ts";
import { loadDeploymentArgument } from "../../deployment-argument.ts";
import { type Invocation, textOption } from "../../command-definition.ts";
import { tableText } from "../../table.ts";

function asJson({ inputs, target, release, secrets }: Deployment): string {
  const object = {
    version: 1,
    config: inputs.config.file,
    target,
    release: { pinned: release.pinned, resolved: release.resolved, source: release.source },
    secrets: secrets.map((secret) => ({ ...secretView(secret), description: secret.description })),
  };
  return printableJson(`${JSON.stringify(object, null, 2)}\n`);
}

function asTable({ inputs, target, release, secrets }: Deployment): string {
  const rows = secrets.map((secret) => [
    secret.name,
    secret.required ? "required" : "optional",
    secret.managedBy,
    secret.destinations
      .map(({ workload, env }) => (env === secret.name ? workload : `${workload} as ${env}`))
      .join(", ") || "-",
    secret.reason,
  ]);
  const head = `${printable(inputs.config.file)}: ${target ?? "no target"}, release ${release.resolved}, ${secrets.length} secrets\n\n`;
  return head + tableText([["NAME", "NEEDED", "FROM", "READ BY", "WHY"], ...rows]);
}

/** `qm-deploy secrets`. */
export async function run(invocation: Invocation): Promise<number> {
  const loaded = await loadDeploymentArgument(invocation);
  if ("status" in loaded) return loaded.status;
  const print = textOption(invocation, "format") === "json" ? asJson : asTable;
  invocation.io.stdout.write(print(loaded.deployment));
  return PASSED;
}
