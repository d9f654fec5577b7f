import { applyChanges } from "../config/edit.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { withConfigText } from "../deployment/resolve.ts";
import type { Diagnostic, FixSafety } from "../diagnostics/diagnostic.ts";
import { runRules } from "./run-rules.ts";

/** A deployment after its fixes were applied to the text of its config. Nothing is written. */
export interface FixedDeployment {
  readonly deployment: Deployment;
  /** What is left, in order. */
  readonly diagnostics: readonly Diagnostic[];
  /** Titles of the fixes that were applied, in order. */
  readonly applied: readonly string[];
}

/** A config that still changes after this many fixes has fixes that undo each other; each is sound, so stopping is too. */
const MAX_FIXES = 500;

/**
 * Applies fixes one by one, each to a config that was checked anew, until none is left that may be applied. `which`
 * "safe": only those whose meaning is certain. A fix that the editor refuses is left out.
 */
export function applyFixes(deployment: Deployment, which: "safe" | "all"): FixedDeployment {
  const allowed: readonly FixSafety[] = which === "all" ? ["safe", "suggested"] : ["safe"];
  const refused = new Set<string>();
  const applied: string[] = [];
  let current = deployment;
  let diagnostics = runRules(current);
  while (applied.length < MAX_FIXES) {
    const { text } = current.inputs.config;
    const next = diagnostics.find(
      ({ fix }) => fix !== null && allowed.includes(fix.safety) && !refused.has(JSON.stringify(fix)),
    );
    if (next?.fix == null) break;
    const edited = applyChanges(text, next.fix.changes);
    if (!edited.ok || edited.text === text) {
      refused.add(JSON.stringify(next.fix));
      continue;
    }
    applied.push(next.fix.title);
    current = withConfigText(current, edited.text);
    diagnostics = runRules(current);
  }
  return { deployment: current, diagnostics, applied };
}
