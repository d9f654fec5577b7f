import { dirname } from "node:path";
import { ours, type Shown } from "../base/shown.ts";
import { GRAPH } from "../cli/commands/graph/graph.command.ts";
import type { ProcessIo } from "../cli/process-io.ts";
import type { DeploymentView } from "../diagnostics/view.ts";
import type { DeploymentGraph } from "../render/graph/graph.ts";
import { graphMermaid } from "../render/graph/mermaid.ts";
import { callCommand } from "./call-command.ts";
import type { Changes } from "./changes.ts";
import type { ActionInputs } from "./inputs.ts";

/** Mermaid flowcharts by config. */
export type Pictures = ReadonlyMap<string, Shown>;

/** Who reviews a change of more than these looks at none of the pictures. */
const MAX_PICTURES = 5;

/** Mermaid, as GitHub runs it, draws no longer text (its setting `maxTextSize`). */
const MAX_TEXT = 50_000;

/** What a reviewer wants to see: what was changed or is new; of a run that compares nothing, the one deployment that it is about. */
function drawn(deployments: readonly DeploymentView[], changes: Changes | null): readonly DeploymentView[] {
  if (changes === null || !("base" in changes)) return deployments.length === 1 ? deployments : [];
  return deployments
    .filter(({ config }) => ["changed", "new"].includes(changes.byConfig.get(config)?.state ?? ""))
    .slice(0, MAX_PICTURES);
}

/** Draws deployments that were read, as far as they are sound. Secrets are in no picture but by name. */
export async function drawPictures(
  io: ProcessIo,
  deployments: readonly DeploymentView[],
  changes: Changes | null,
  { release, target, envFile }: ActionInputs,
): Promise<Pictures> {
  const pictures = new Map<string, Shown>();
  for (const { config } of drawn(deployments, changes)) {
    const answer = await callCommand(io, GRAPH, [dirname(config)], { release, target, "env-file": envFile });
    const { graph } = answer as { readonly graph?: DeploymentGraph };
    const text = graph === undefined ? "" : graphMermaid(graph);
    // Masked as the command printed it, and everything that Markdown gives a meaning is written as the number of its character.
    if (text !== "" && text.length <= MAX_TEXT) pictures.set(config, ours(text));
  }
  return pictures;
}
