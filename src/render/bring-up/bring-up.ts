import type { TargetName } from "../../config/written-config.ts";
import { generatedLines, publicArtifact, type RenderContext, type RenderOutput } from "../artifact.ts";
import { deploymentGraph } from "../graph/deployment-graph.ts";
import { graphMermaid } from "../graph/mermaid.ts";
import { awsBringUp } from "./aws.ts";
import { dockerBringUp } from "./docker.ts";
import { flyBringUp } from "./fly.ts";
import { fenced, stepText } from "./page.ts";
import type { BringUp, Step } from "./step.ts";

/** File name below `rendered/<target>/`. */
export const BRING_UP = "bring-up.md";

const BY_TARGET: { readonly [target in TargetName]: (context: RenderContext) => BringUp } = {
  docker: dockerBringUp,
  fly: flyBringUp,
  aws: awsBringUp,
};

const WAY_OF_STEPS =
  "Paste one block at a time, in order, in one shell. Where a step says how to go back, the steps after it are taken back first.";

/** What comes first: qm-deploy is usually a devDependency of the deployment directory, and then no shell finds it by itself. */
const PATH_STEP: Step = {
  title: "Put qm-deploy on this shell's PATH",
  text: "Where the deployment's package.json brings it: `npm install` first, where `node_modules/` is missing.",
  commands: ['export PATH="$PWD/node_modules/.bin:$PATH"'],
  check: { commands: ["command -v qm-deploy"], text: "prints where it is" },
};

/** What comes after the last step: each line leads to a command that says the steps for the case at hand. */
const LATER = `## From then on

- Where it stands, and what comes next: \`qm-deploy status --drift\`
- After a change of the config or of \`sandbox/\`, before it is committed: \`qm-deploy diff\` lists the steps that bring it into force
- Another value of a secret: \`qm-deploy secrets set NAME\` prints the commands that bring it into force
- Another release of qm: \`qm-deploy upgrade RELEASE\` says what changes and what cannot be undone; \`--write\` does it
- What runs, against what is rendered: \`qm-deploy drift\`
- To remove the deployment: go back from the last step to the first. Keep a backup of the data and \`.env\` until nobody misses them.`;

/** `bring-up.md`: the ordered, pasteable commands from nothing to a running deployment with the rendered files. */
export function renderBringUp(context: RenderContext): readonly RenderOutput[] {
  const { target, lead, steps } = BY_TARGET[context.target](context);
  const blocks = [
    `<!-- ${generatedLines().join(" ")} -->`,
    `# Bringing ${context.deployment.config.orgId ?? "the deployment"} up on ${target}`,
    lead,
    WAY_OF_STEPS,
    fenced(graphMermaid(deploymentGraph(context, (text) => text)), "mermaid"),
    ...[PATH_STEP, ...steps].flat().map((step, at) => stepText(step, at + 1)),
    LATER,
  ];
  return [publicArtifact(BRING_UP, blocks.join("\n\n"))];
}
