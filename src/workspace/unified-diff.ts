import { createTwoFilesPatch } from "diff";
import { printable } from "../base/printable.ts";
import type { PlannedArtifact } from "./render-plan.ts";

/** Beyond this many changed lines a diff tells nobody anything, and takes long to find. */
const MAX_EDITS = 5_000;

/** How a file that lies there would change, as a unified diff whose lines are safe for a terminal. */
export function unifiedDiff(shown: string, { artifact, before }: Pick<PlannedArtifact, "artifact" | "before">): string {
  const name = `${shown}/${artifact.name}`;
  const [from, state] = before === null ? ["/dev/null", "missing"] : [name, "as it is"];
  const options = { context: 3, maxEditLength: MAX_EDITS };
  const patch = createTwoFilesPatch(from, name, before?.text ?? "", artifact.text, state, "as rendered", options);
  if (patch === undefined) return `${name}: differs in more than ${MAX_EDITS} lines\n`;
  const lines = patch.replace(/^(?:Index: .*\n)?=+\n/, "").split("\n");
  return lines.map((line) => line.split("\t").map(printable).join("\t")).join("\n");
}
