import type { Deployment } from "../../deployment/deployment.ts";
import { artifactsByName, changedArtifacts } from "../artifacts.ts";
import type { ArtifactChange } from "./deployment-diff.ts";

function countLines(text: string | undefined): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text === undefined ? [] : text.replace(/\n$/, "").split("\n"))
    counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** How many lines of one text the other has not, whatever their order: enough for a summary, and linear in their length. */
function surplus(of: ReadonlyMap<string, number>, over: ReadonlyMap<string, number>): number {
  let lines = 0;
  for (const [line, count] of of) lines += Math.max(0, count - (over.get(line) ?? 0));
  return lines;
}

/** The artifacts that are not the same, as paths below the deployment directory; null where there is nothing to render for. */
export function artifactChanges(before: Deployment, after: Deployment): readonly ArtifactChange[] | null {
  const [old, now] = [below(before), below(after)];
  if (old === null || now === null) return null;
  return changedArtifacts(old, now).map((name) => {
    const [from, to] = [countLines(old.get(name)), countLines(now.get(name))];
    const change = !old.has(name) ? "added" : !now.has(name) ? "removed" : "changed";
    return { name, change, linesAdded: surplus(to, from), linesRemoved: surplus(from, to) };
  });
}

function below(deployment: Deployment): ReadonlyMap<string, string> | null {
  const texts = artifactsByName(deployment);
  return texts === null
    ? null
    : new Map([...texts].map(([name, text]) => [`rendered/${deployment.target}/${name}`, text]));
}
