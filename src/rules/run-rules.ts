import type { Deployment } from "../deployment/deployment.ts";
import { groupBy } from "../base/group-by.ts";
import type { Diagnostic, RelatedPlace, Suppression } from "../diagnostics/diagnostic.ts";
import { orderDiagnostics } from "../diagnostics/order.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { withoutIdleErrors } from "./config/other-target.ts";
import { RULES } from "./all.generated.ts";
import type { Finding, FindingPlace, FurtherPlace, Rule } from "./rule.ts";
import { Suppressor } from "./suppression/apply.ts";
import { withholdFixes } from "./withhold-fixes.ts";

/** How many findings of one rule are listed: nobody reads more, and a file made by a faulty program has as many as lines. */
export const MOST_OF_A_RULE = 100;

/**
 * Everything that is wrong with a deployment: what resolving found and what each rule finds, at most `most` a rule, in report
 * order. What is suppressed is marked as such, and counts apart; what is wrong with suppressions is found as well.
 */
export function runRules(deployment: Deployment, rules = RULES, most = MOST_OF_A_RULE): Diagnostic[] {
  const suppressor = new Suppressor(deployment);
  const found = withoutIdleErrors(deployment).map((diagnostic) => suppressor.mark(diagnostic));
  const list = (rule: ReportedRule, findings: readonly Finding[]): void => {
    if (findings.length === 0) return;
    const marked = (finding: Finding): Diagnostic => suppressor.mark(toDiagnostic(rule, finding, deployment));
    // What is suppressed keeps none of the others from being listed.
    const suppressionOf = (finding: Finding): Suppression | null =>
      suppressor.isNeeded ? (marked(finding).suppression ?? null) : null;
    for (const some of groupBy(findings, (finding) => suppressionOf(finding) === null).values()) {
      for (const finding of some.slice(0, most)) found.push(marked(finding));
      if (some.length > most) found.push(countUnlisted(rule, some.slice(most), suppressionOf(some[0]), deployment));
    }
  };
  let isComplete = true;
  for (const rule of rules) {
    const findings: Finding[] = [];
    try {
      rule.check(deployment, (finding) => void findings.push(finding));
    } catch (error) {
      // It costs no finding of another rule, and none that it made before.
      found.push(brokenRule(rule, error, deployment));
      isComplete = false;
    }
    list(rule, findings);
  }
  for (const [rule, about] of groupBy(suppressor.findings(isComplete), ([rule]) => rule))
    list(
      rule,
      about.map(([, finding]) => finding),
    );
  return orderDiagnostics(withholdFixes(found, deployment));
}

type ReportedRule = Pick<Rule, "id" | "severity" | "clause">;

function toDiagnostic(rule: ReportedRule, finding: Finding, deployment: Deployment): Diagnostic {
  const {
    message,
    help,
    command = null,
    place,
    related = [],
    severity = rule.severity ?? "error",
    fix = null,
  } = finding;
  const { file, range } = locate(place, deployment);
  const base = { rule: rule.id, clause: rule.clause ?? null, severity, message, help, command, file, range, fix };
  return related.length === 0 ? base : { ...base, related: related.flatMap((one) => relatedPlace(one, deployment)) };
}

function relatedPlace({ place, message }: FurtherPlace, deployment: Deployment): RelatedPlace[] {
  if ("path" in place && deployment.document.node(place.path) === undefined) return [];
  const { file, range } = locate(place, deployment);
  return range === null ? [] : [{ file, range, message }];
}

function locate(place: FindingPlace, { document }: Deployment): { file: string; range: SourceRange | null } {
  if (!("path" in place)) return place;
  const range = place.at === "value" ? document.valueRange(place.path) : document.keyRange(place.path);
  return { file: document.file, range };
}

/** Says how many findings are left out, with the severity of the worst of them: no error may pass for being late. */
function countUnlisted(
  rule: ReportedRule,
  unlisted: readonly Finding[],
  suppression: Suppression | null,
  deployment: Deployment,
): Diagnostic {
  const severities = new Set(unlisted.map(({ severity = rule.severity ?? "error" }) => severity));
  const severity = severities.has("error") ? "error" : severities.has("warning") ? "warning" : "info";
  const many = unlisted.length > 1;
  const message = `${unlisted.length} more ${many ? "findings" : "finding"} of this rule ${many ? "are" : "is"} not listed`;
  const place = { file: deployment.document.file, range: null };
  const help = "fix the listed ones first and run it again";
  const counted = toDiagnostic(rule, { message, help, place, severity }, deployment);
  return suppression === null ? counted : { ...counted, suppression };
}

/** Names the error's kind only: its text may quote a value. */
function brokenRule(rule: Rule, error: unknown, deployment: Deployment): Diagnostic {
  const kind = error instanceof Error ? error.name : typeof error;
  const message = `the rule \`${rule.id}\` failed (${kind}), so what it would have found is missing`;
  const help =
    "this is a fault of qm-deploy and not of the deployment: please report it, with the config that shows it";
  const place = { file: deployment.document.file, range: null };
  return toDiagnostic({ id: "internal/broken-rule" }, { message, help, place }, deployment);
}
