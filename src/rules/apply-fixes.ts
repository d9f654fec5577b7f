import { applyChanges } from "../config/edit.ts";
import { isEditable } from "../config/obstacles.ts";
import { repairSyntax } from "../config/repair.ts";
import { independentGroups, inOneOrder } from "../config/edit/independence.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { MOST_FINDINGS } from "../config/validation/finding.ts";
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
 * Before them comes what makes the text JSONC, where its meaning is certain. `isWhole`: the deployment was resolved with all
 * its findings, however many.
 */
export function applyFixes(
  deployment: Deployment,
  which: "safe" | "all",
  isWhole = false,
  isMeant: (finding: Diagnostic) => boolean = () => true,
): FixedDeployment {
  const allowed: readonly FixSafety[] = which === "all" ? ["safe", "suggested"] : ["safe"];
  const refused = new Set<string>();
  const isOpen = (fix: Fix | null): fix is Fix =>
    fix !== null && allowed.includes(fix.safety) && !refused.has(JSON.stringify(fix));
  const written = deployment.inputs.config.text;
  const repaired = repairSyntax(written);
  const applied = [...repaired.titles];
  let current = isWhole && repaired.text === written ? checkAll(deployment) : checkWhole(deployment, repaired.text);
  let fixes = nextFixes(current, isOpen, isMeant);
  for (let edits = 0; edits < MAX_EDITS && fixes.length > 0; edits++) {
    const { text } = current.deployment.inputs.config;
    const edited = applyChanges(text, inOneOrder(fixes.map(({ changes }) => changes)));
    if (edited.ok && edited.text !== text) {
      applied.push(...fixes.map(({ title }) => title));
      current = checkWhole(deployment, edited.text);
      fixes = nextFixes(current, isOpen, isMeant);
    } else if (fixes.length === 1) {
      refused.add(JSON.stringify(fixes[0]));
      fixes = nextFixes(current, isOpen, isMeant);
      // Of several that were refused together, the first half is tried again.
    } else fixes = fixes.slice(0, fixes.length >> 1);
  }
  if (current.diagnostics.length <= MOST_FINDINGS) return { ...current, applied };
  const { diagnostics, inputs } = current.deployment;
  const isShort = diagnostics.length <= MOST_FINDINGS;
  const listed = isShort ? current.deployment : withConfigText(deployment, inputs.config.text);
  return { deployment: listed, diagnostics: runRules(listed), applied };
}

/**
 * The text of the config with the fix of one finding of a deployment; null where it has none, or where the editor refuses it.
 * What makes the text JSONC comes before it, as far as that is certain.
 */
export function applyFix({ inputs }: Deployment, { fix }: Diagnostic): string | null {
  if (fix === null) return null;
  const edited = applyChanges(repairSyntax(inputs.config.text).text, fix.changes);
  return edited.ok && edited.text !== inputs.config.text ? edited.text : null;
}

/** A deployment with another text, and everything that is found in it, however much. */
function checkWhole(deployment: Deployment, text: string): Omit<FixedDeployment, "applied"> {
  return checkAll(withConfigText(deployment, text, Number.POSITIVE_INFINITY));
}

function checkAll(whole: Deployment): Omit<FixedDeployment, "applied"> {
  return { deployment: whole, diagnostics: runRules(whole, RULES, Number.POSITIVE_INFINITY) };
}

/** The first fix, and those of the same rule that depend on no fix before them: another rule's may settle what is left. */
function nextFixes(
  { deployment, diagnostics }: Omit<FixedDeployment, "applied">,
  isOpen: (fix: Fix | null) => fix is Fix,
  isMeant: (finding: Diagnostic) => boolean,
): readonly Fix[] {
  if (!isEditable(deployment.document)) return [];
  const open = diagnostics
    .filter(isMeant)
    .flatMap(({ rule, fix, suppression }) => (isOpen(fix) && suppression === undefined ? { rule, fix } : []));
  // What a misspelt rule was meant to suppress is not fixed.
  const isMisspelt = ({ rule }: (typeof open)[number]): boolean => rule === "suppression/unknown-rule";
  const found = [...open.filter(isMisspelt), ...open.filter((one) => !isMisspelt(one))];
  return independentGroups(found.map(({ fix }) => fix.changes))
    .map((at) => found[at] as (typeof found)[number])
    .filter(({ rule }) => rule === found[0]?.rule)
    .map(({ fix }) => fix);
}
