import { structuredPatch } from "diff";
import { shownFileLines } from "../base/file-text.ts";
import { lines, ours, plainText, type Shown, shown } from "../base/shown.ts";
import type { PlannedArtifact } from "./render-plan.ts";

/** Beyond this many changed lines a diff tells nobody anything, and takes long to find. */
const MAX_EDITS = 5_000;

/**
 * How a file that lies there would change, as a unified diff. What may be secret in either text is not shown, so two lines
 * may look alike that are not. `blank` takes out what only the deployment knows to be secret.
 */
export function unifiedDiff(
  directory: string,
  { artifact, before }: Pick<PlannedArtifact, "artifact" | "before">,
  blank: (text: string) => string,
): Shown {
  const name = plainText(`${directory}/${artifact.name}`);
  const [old, now] = [before?.text ?? "", artifact.text];
  const patch = structuredPatch("", "", old, now, "", "", { context: 3, maxEditLength: MAX_EDITS });
  if (patch === undefined) return shown`${name}: differs in more than ${MAX_EDITS} lines\n`;
  const [oldLines, newLines] = [shownFileLines(blank(old)), shownFileLines(blank(now))];
  const head = before === null ? shown`--- /dev/null\tmissing` : shown`--- ${name}\tas it is`;
  const hunks = patch.hunks.flatMap(({ oldStart, oldLines: removed, newStart, newLines: added, lines: marked }) => {
    let [oldAt, newAt] = [oldStart - 1, newStart - 1];
    // Where a side has no line, diff counts from the line before.
    const place = shown`@@ -${oldStart - Number(removed === 0)},${removed} +${newStart - Number(added === 0)},${added} @@`;
    const body = marked.map((line) => {
      const mark = line.charAt(0);
      if (mark === "\\") return ours(line);
      const text = mark === "-" ? oldLines[oldAt] : newLines[newAt];
      if (mark !== "+") oldAt++;
      if (mark !== "-") newAt++;
      return shown`${mark}${text ?? ""}`;
    });
    return [place, ...body];
  });
  return lines([head, shown`+++ ${name}\tas rendered`, ...hunks]);
}
