import { type CommandDefinition, OPTIONS, PATH_ARGUMENT, valueOption } from "../../command-definition.ts";

export const GRAPH: CommandDefinition = {
  name: "graph",
  summary: "draw a deployment: who calls whom, what is kept where, which secrets go where, on what agents work",
  description:
    "Prints a Mermaid flowchart, which GitHub draws where it stands in a code block named mermaid, or an SVG file that is light or dark as its reader's screen is. " +
    "Secrets are named, never shown. Of plugins and addresses, one box stands for all where more than eight are connected alike. A deployment with errors is drawn as far as it is sound.",
  args: [PATH_ARGUMENT],
  options: [
    valueOption("format", "name", "how to draw (default: mermaid); json is the picture as data", {
      choices: ["mermaid", "svg", "json"],
    }),
    OPTIONS.release,
    OPTIONS.target,
    OPTIONS.envFile,
  ],
  examples: [
    ["qm-deploy graph", "a Mermaid flowchart"],
    ["qm-deploy graph --format svg > deployment.svg", "a file for a page or a slide"],
    ["qm-deploy graph --target fly", "what it would be elsewhere"],
  ],
  load: async () => (await import("./graph.ts")).run,
};
