import { ours } from "../../../base/shown.ts";
import { mermaidOf, pictureOf, svgOf } from "../../../views/graph/picture.ts";
import { type Invocation, textOption } from "../../command-definition.ts";
import { loadDeploymentArgument } from "../../deployment-argument.ts";
import { PASSED } from "../../exit-status.ts";
import { deploymentHead, printJson } from "../../output.ts";

/** `qm-deploy graph`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const loaded = await loadDeploymentArgument(invocation);
  if ("status" in loaded) return loaded.status;
  const { deployment } = loaded;
  const format = textOption(invocation, "format");
  if (format === "json") printJson(io, { ...deploymentHead(deployment), graph: pictureOf(deployment) });
  // Masked while it was drawn, where each text was still one.
  else io.stdout.write(ours(format === "svg" ? await svgOf(deployment) : mermaidOf(deployment)));
  return PASSED;
}
