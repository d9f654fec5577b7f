import { joined, plainText, type Shown, shown } from "../../../base/shown.ts";
import type { Palette } from "../../../diagnostics/reporters/reporter.ts";
import { differingFiles, type Outcome } from "./outcome.ts";

/** What became of a deployment. */
export type Result = "same" | "written" | "differs" | "refused" | "unreadable";

/** What is kept of each deployment of a run over several. */
export interface FleetMember {
  readonly result: Result;
  /** One line about it; null where it is as it should be, or was reported before. */
  readonly line: Shown | null;
  readonly notes: readonly { readonly artifact: string; readonly message: string }[];
}

/** Names of the files that are, were or would be other than they were. */
function changedNames({ action, plan, prune }: Outcome): readonly string[] {
  if (plan === null || action === "nothing") return [];
  const names = differingFiles(plan).map(({ artifact }) => artifact.name);
  const stale = plan.stale.filter(({ removable }) => action === "check" || (prune && removable));
  return [...names, ...stale.map(({ name }) => `${name} (stale)`)];
}

/** True where files were written or removed, or would have to be. */
export function changes(outcome: Outcome): boolean {
  return changedNames(outcome).length > 0;
}

/** One line about a deployment among several; none where its files are as they were. */
export function memberLine(outcome: Outcome): Shown | null {
  if (!changes(outcome)) return null;
  const names = joined(changedNames(outcome).map(plainText), ", ");
  return shown`${outcome.action === "check" ? "differs" : "written"}  ${plainText(outcome.shown)}: ${names}\n`;
}

/** Notes that several deployments have are said once. */
function noteLines(members: readonly FleetMember[]): readonly Shown[] {
  const counts = new Map<string, { readonly text: Shown; count: number }>();
  for (const { artifact, message } of members.flatMap(({ notes }) => notes)) {
    const text = shown`${plainText(artifact)}: ${message}`;
    const known = counts.get(text.text);
    if (known === undefined) counts.set(text.text, { text, count: 1 });
    else known.count++;
  }
  return [...counts.values()].map(({ text, count }) =>
    count === 1 ? shown`info: ${text}\n` : shown`info: in ${count} deployments: ${text}\n`,
  );
}

/** Results in the order in which they are counted, in words. */
const RESULTS: readonly (readonly [result: Result, says: string])[] = [
  ["unreadable", "cannot be read or written"],
  ["refused", "not rendered"],
  ["differs", "not what the config says (`qm-deploy render` writes them)"],
  ["written", "written"],
  ["same", "as they were"],
];

/** How many deployments came to what. */
export function countResults(members: readonly FleetMember[]): readonly (readonly [result: Result, count: number])[] {
  return RESULTS.map(([result]) => [result, members.filter((member) => member.result === result).length]);
}

/** What ends a run over several deployments: a line for each that is not as it was, what is to be noted, and how many came to what. */
export function fleetText(members: readonly FleetMember[], palette: Palette): Shown {
  const counts = new Map(countResults(members));
  const results = RESULTS.filter(([result]) => counts.get(result) !== 0).map(
    ([result, says]) => `${counts.get(result)} ${says}`,
  );
  const failed = members.length - (counts.get("same") ?? 0) - (counts.get("written") ?? 0);
  const verdict = failed === 0 ? palette.good("passed") : palette.error("failed");
  const lines = members.map(({ line }) => line).filter((line) => line !== null);
  const all = `${failed === 0 ? "" : `${failed} of `}${members.length} deployments`;
  return joined([...noteLines(members), ...lines, shown`${verdict}  ${all}: ${results.join(", ")}\n`]);
}
