import { structuredPatch } from "diff";
import { shownFileLines } from "../base/file-text.ts";
import { lines, ours, plainText, type Shown, shown } from "../base/shown.ts";

/** A file as it is (null: there is none) and as it would be. */
export interface FileChange {
  /** For people, relative to the working directory. */
  readonly name: string;
  readonly before: string | null;
  readonly after: string;
  /** What the new text is, for the head of its side. */
  readonly says: string;
}

/** Beyond this many changed lines a diff tells nobody anything, and takes long to find. */
const MAX_EDITS = 5_000;

/**
 * How a file that lies there would change, as a unified diff. What may be secret in either text is not shown, so two lines
 * may look alike that are not. `blank` takes out what only the deployment knows to be secret.
 */
export function unifiedDiff(change: FileChange, blank: (text: string) => string): Shown {
  const name = plainText(change.name);
  const [old, now] = [change.before ?? "", change.after];
  const patch = structuredPatch("", "", old, now, "", "", { context: 3, maxEditLength: MAX_EDITS });
  if (patch === undefined) return shown`${name}: differs in more than ${MAX_EDITS} lines\n`;
  const [oldLines, newLines] = [shownFileLines(blank(old)), shownFileLines(blank(now))];
  const head = change.before === null ? shown`--- /dev/null\tmissing` : shown`--- ${name}\tas it is`;
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
  return lines([head, shown`+++ ${name}\t${change.says}`, ...hunks]);
}
