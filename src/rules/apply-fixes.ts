import { applyChanges } from "../config/edit.ts";
import { isEditable } from "../config/obstacles.ts";
import { repairSyntax } from "../config/repair.ts";
import { independentGroups, inOneOrder } from "../config/edit/independence.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { withConfigText } from "../deployment/resolve.ts";
import type { Diagnostic, Fix, FixSafety } from "../diagnostics/diagnostic.ts";
import { RULES } from "./all.generated.ts";
import { runRules } from "./run-rules.ts";

/** A deployment after its fixes were applied to the text of its config. Nothing is written. */
export interface FixedDeployment {
  readonly deployment: Deployment;
  /** What is left, in order. */
  readonly diagnostics: readonly Diagnostic[];
  /** Titles of the fixes that were applied, in order. */
  readonly applied: readonly string[];
}

/** A config that still changes after this many edits has fixes that undo each other; each is sound, so stopping is too. */
const MAX_EDITS = 100;

/**
 * Applies fixes in rounds, each to a config that was checked anew, until none is left that may be applied: in a round all
 * of one rule that do not depend on one another, since a fix may settle what another rule found as well. `which` "safe":
 * only those whose meaning is certain. A fix that the editor refuses is left out.
 * Before them comes what makes the text JSONC, where its meaning is certain.
 */
export function applyFixes(deployment: Deployment, which: "safe" | "all"): FixedDeployment {
  const allowed: readonly FixSafety[] = which === "all" ? ["safe", "suggested"] : ["safe"];
  const refused = new Set<string>();
  const isOpen = (fix: Fix | null): fix is Fix =>
    fix !== null && allowed.includes(fix.safety) && !refused.has(JSON.stringify(fix));
  const repaired = repairSyntax(deployment.inputs.config.text);
  const applied = [...repaired.titles];
  let { text } = repaired;
  let fixes: readonly Fix[] | null = null;
  for (let edits = 0; edits < MAX_EDITS; edits++) {
    fixes ??= nextFixes(withConfigText(deployment, text, Number.POSITIVE_INFINITY), isOpen);
    if (fixes.length === 0) break;
    const edited = applyChanges(text, inOneOrder(fixes.map(({ changes }) => changes)));
    const isMade = edited.ok && edited.text !== text;
    if (isMade) {
      text = edited.text;
      applied.push(...fixes.map(({ title }) => title));
    } else if (fixes.length === 1) refused.add(JSON.stringify(fixes[0]));
    // Of several that were refused together, the first half is tried again.
    fixes = isMade || fixes.length === 1 ? null : fixes.slice(0, fixes.length >> 1);
  }
  const fixed = applied.length === 0 ? deployment : withConfigText(deployment, text);
  return { deployment: fixed, diagnostics: runRules(fixed), applied };
}

/** The first fix, and those of the same rule that depend on no fix before them: another rule's may settle what is left. */
function nextFixes(deployment: Deployment, isOpen: (fix: Fix | null) => fix is Fix): readonly Fix[] {
  if (!isEditable(deployment.document)) return [];
  const found = runRules(deployment, RULES, Number.POSITIVE_INFINITY).flatMap(({ rule, fix }) =>
    isOpen(fix) ? { rule, fix } : [],
  );
  return independentGroups(found.map(({ fix }) => fix.changes))
    .map((at) => found[at] as (typeof found)[number])
    .filter(({ rule }) => rule === found[0]?.rule)
    .map(({ fix }) => fix);
}
