import type { Deployment } from "../../deployment/deployment.ts";
import { deploymentGraph } from "../../render/graph/deployment-graph.ts";
import type { DeploymentGraph } from "../../render/graph/graph.ts";
import { graphMermaid } from "../../render/graph/mermaid.ts";
import { secretsWithValue } from "../../render/secrets.ts";
import { redactorFor } from "../value-mask.ts";

/** What a deployment looks like; whatever may be secret is hidden in it. A broken one has what is sound. */
export function pictureOf(deployment: Deployment): DeploymentGraph {
  const options = { secretsWithValue: new Set(secretsWithValue(deployment)) };
  return deploymentGraph({ deployment, options }, redactorFor(deployment));
}

/** The picture as a Mermaid flowchart, for whatever draws the code blocks of Markdown. */
export function mermaidOf(deployment: Deployment): string {
  return graphMermaid(pictureOf(deployment));
}

/** The picture as an SVG file. What lays it out is loaded with the first one. */
export async function svgOf(deployment: Deployment): Promise<string> {
  const { graphSvg } = await import("./svg.ts");
  return graphSvg(pictureOf(deployment));
}
