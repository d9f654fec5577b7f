import type { TargetName } from "../../config/written-config.ts";
import { generatedLines, publicArtifact, type RenderContext, type RenderOutput } from "../artifact.ts";
import { deploymentGraph } from "../graph/deployment-graph.ts";
import { graphMermaid } from "../graph/mermaid.ts";
import { awsBringUp } from "./aws.ts";
import { dockerBringUp } from "./docker.ts";
import { flyBringUp } from "./fly.ts";
import type { BringUp, Step } from "./step.ts";

/** File name below `rendered/<target>/`. */
export const BRING_UP = "bring-up.md";

const BY_TARGET: { readonly [target in TargetName]: (context: RenderContext) => BringUp } = {
  docker: dockerBringUp,
  fly: flyBringUp,
  aws: awsBringUp,
};

/** What comes first: qm-deploy is usually a devDependency of the deployment directory, and then no shell finds it by itself. */
const PATH_STEP: Step = {
  title: "Put qm-deploy on this shell's PATH",
  text: "Where the deployment's package.json brings it. The last command fails where it is not installed: `npm install` first.",
  commands: ['export PATH="$PWD/node_modules/.bin:$PATH"', "command -v qm-deploy"],
};

/** `bring-up.md`: the ordered, pasteable commands from nothing to a running deployment with the rendered files. */
export function renderBringUp(context: RenderContext): readonly RenderOutput[] {
  const { target, lead, steps } = BY_TARGET[context.target](context);
  const blocks = [
    `<!-- ${generatedLines().join(" ")} -->`,
    `# Bringing ${context.deployment.config.orgId ?? "the deployment"} up on ${target}`,
    lead,
    fenced(graphMermaid(deploymentGraph(context, (text) => text)), "mermaid"),
    ...[PATH_STEP, ...steps].flat().map((step, at) => stepText(step, at + 1)),
  ];
  return [publicArtifact(BRING_UP, blocks.join("\n\n"))];
}

function stepText({ title, text = "", commands = [] }: Step, number: number): string {
  const parts = [`## ${number}. ${title}`, text, commands.length === 0 ? "" : fenced(commands.join("\n"), "sh")];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** A code block whose fence is longer than any run of backticks in it. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}
