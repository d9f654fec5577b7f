import { fileBelow } from "../wording.ts";
import type { Rule } from "../rule.ts";

/** Directories that are read by name, with what comes of a link in their place. */
const CONSEQUENCES: ReadonlyMap<string, { readonly severity: "error" | "warning"; readonly what: string }> = new Map([
  ["sandbox", { severity: "error", what: "what is behind it is neither checked, rendered nor published" }],
  ["sandbox/skills", { severity: "warning", what: "what is behind it is not checked" }],
  ["sandbox/tools", { severity: "warning", what: "what is behind it is neither checked nor published" }],
]);

/** A link in the place of a directory of the layer. */
export const LAYER_LINK: Rule = {
  id: "layer/link",
  title: "Link in the place of the deployment layer",
  severity: "error",
  clause: null,
  why: "What a deployment is made of stands in its directory, where it is reviewed. qm follows a link in the place of `sandbox/` to whatever is there on the machine that deploys; what is rendered leaves the layer out, so that skills and tools are missing without a word.",
  bad: "",
  good: "",
  check(deployment, report) {
    for (const { path, leadsTo } of deployment.inputs.sandboxTree) {
      const consequence = CONSEQUENCES.get(path);
      if (leadsTo !== "directory" || consequence === undefined) continue;
      report({
        message: `\`${path}\` is a link to a directory: ${consequence.what}`,
        help: "put the directory itself there",
        severity: consequence.severity,
        place: { file: fileBelow(deployment, path), range: null },
      });
    }
  },
};
