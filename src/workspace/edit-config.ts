import { dirname } from "node:path";
import { applyChanges } from "../config/edit.ts";
import { scanTrivia } from "../config/trivia.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { withConfigText } from "../deployment/resolve.ts";
import type { ValueChange, Diagnostic } from "../diagnostics/diagnostic.ts";
import { blockingDiagnostics, isToolkitFault } from "../rules/blocking.ts";
import { runRules } from "../rules/run-rules.ts";
import { loadUsable } from "./load-deployment.ts";
import { configAt } from "./find-deployments.ts";
import { withLock } from "./lock.ts";
import { readTextFile } from "./read-file.ts";
import { writeFileAtomically } from "./write-file.ts";

/** What became of an edit of a config. Unless `kind` is "written", no byte changed. */
export type EditOutcome =
  | { readonly kind: "unchanged"; readonly deployment: Deployment }
  /** `comments`: how many went with what was removed or replaced. */
  | {
      readonly kind: "written";
      readonly deployment: Deployment;
      readonly added: readonly Diagnostic[];
      readonly comments: number;
    }
  /** The editor cannot make the change; `reason` holds no value. */
  | { readonly kind: "refused"; readonly reason: string }
  /** The change would add these errors. */
  | { readonly kind: "worse"; readonly deployment: Deployment; readonly added: readonly Diagnostic[] }
  | { readonly kind: "unreadable"; readonly problem: Diagnostic };

function countComments(text: string): number {
  return scanTrivia(text).comments.length;
}

function countByRule(diagnostics: readonly Diagnostic[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { rule } of diagnostics) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
}

/** True for a finding inside the value that was just set: the change is at fault even where it replaced another fault. */
function isWithin({ document }: Deployment, change: ValueChange, { file, range }: Diagnostic): boolean {
  if (change.kind !== "set" || range === null || file !== document.file || document.node(change.path) === undefined)
    return false;
  const [key, value] = [document.keyRange(change.path), document.valueRange(change.path)];
  return range.start.offset >= Math.min(key.start.offset, value.start.offset) && range.end.offset <= value.end.offset;
}

/**
 * The errors that a change brought: those in what was set, and new ones elsewhere. A message may name an index that moved, so
 * that a new message alone proves nothing: its rule must also fire more often than before.
 */
function addedErrors(before: Deployment, after: Deployment, change: ValueChange): Diagnostic[] {
  const old = blockingDiagnostics("edit", runRules(before), before);
  const known = new Set(old.map(({ rule, message }) => `${rule} ${message}`));
  const now = blockingDiagnostics("edit", runRules(after), after);
  const [countsBefore, countsNow] = [countByRule(old), countByRule(now)];
  return now.filter((error) => {
    if (isToolkitFault(error) || isWithin(after, change, error)) return true;
    const firesMore = (countsNow.get(error.rule) ?? 0) > (countsBefore.get(error.rule) ?? 0);
    return firesMore && !known.has(`${error.rule} ${error.message}`);
  });
}

/**
 * Makes one change in the config of a deployment: comments and layout stay, the result is checked before it is written,
 * and no other edit of this toolkit is lost. `path` is a deployment directory or a config file; with `force` the change is
 * written even where it adds errors.
 *
 * @throws {WriteRefused} and file system errors where the file cannot be written; it is as it was then
 */
export async function editConfig(
  change: ValueChange,
  { cwd, path, force }: { readonly cwd: string; readonly path: string; readonly force: boolean },
): Promise<EditOutcome> {
  const config = configAt(path, cwd);
  // Before the lock, which would be made beside a file that is not there.
  const unreadable = readTextFile(config.path, config.file).problem;
  if (unreadable !== undefined) return { kind: "unreadable", problem: unreadable };
  return withLock(config.path, (): EditOutcome => {
    const { deployment: before, problem } = loadUsable(config, { cwd });
    if (problem !== undefined) return { kind: "unreadable", problem };
    const { text } = before.inputs.config;
    const edited = applyChanges(text, [change]);
    if (!edited.ok) return { kind: "refused", reason: edited.reason };
    if (edited.text === text) return { kind: "unchanged", deployment: before };
    const after = withConfigText(before, edited.text);
    const added = addedErrors(before, after, change);
    if (added.length > 0 && !force) return { kind: "worse", deployment: after, added };
    writeFileAtomically(config.path, edited.text, { root: dirname(config.path), expected: text });
    return { kind: "written", deployment: after, added, comments: countComments(text) - countComments(edited.text) };
  });
}
