import type { Deployment } from "../deployment/deployment.ts";
import type { Diagnostic, RelatedPlace } from "../diagnostics/diagnostic.ts";
import { orderDiagnostics } from "../diagnostics/order.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { withoutIdleErrors } from "./config/other-target.ts";
import { RULES } from "./all.generated.ts";
import type { Finding, FindingPlace, Rule } from "./rule.ts";
import { withholdFixes } from "./withhold-fixes.ts";

/** How many findings of one rule are listed: nobody reads more, and a file made by a faulty program has as many as lines. */
export const MOST_OF_A_RULE = 100;

/** Everything that is wrong with a deployment: what resolving found and what each rule finds, at most `most` a rule, in report order. */
export function runRules(deployment: Deployment, rules = RULES, most = MOST_OF_A_RULE): Diagnostic[] {
  const found = [...withoutIdleErrors(deployment)];
  let findings: Finding[] = [];
  const report = (finding: Finding): void => void findings.push(finding);
  for (const rule of rules) {
    try {
      rule.check(deployment, report);
    } catch (error) {
      // It costs no finding of another rule, and none that it made before.
      found.push(brokenRule(rule, error, deployment));
    }
    if (findings.length === 0) continue;
    const unlisted = findings.splice(most);
    for (const finding of findings) found.push(toDiagnostic(rule, finding, deployment));
    if (unlisted.length > 0) found.push(countUnlisted(rule, unlisted, deployment));
    findings = [];
  }
  return orderDiagnostics(withholdFixes(found, deployment));
}

function toDiagnostic(
  rule: Pick<Rule, "id" | "severity" | "clause">,
  finding: Finding,
  deployment: Deployment,
): Diagnostic {
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

function relatedPlace(
  { place, message }: { readonly place: FindingPlace; readonly message: string },
  deployment: Deployment,
): RelatedPlace[] {
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
function countUnlisted(rule: Rule, unlisted: readonly Finding[], deployment: Deployment): Diagnostic {
  const severities = new Set(unlisted.map(({ severity = rule.severity ?? "error" }) => severity));
  const severity = severities.has("error") ? "error" : severities.has("warning") ? "warning" : "info";
  const many = unlisted.length > 1;
  const message = `${unlisted.length} more ${many ? "findings" : "finding"} of this rule ${many ? "are" : "is"} not listed`;
  const place = { file: deployment.document.file, range: null };
  return toDiagnostic(
    rule,
    { message, help: "fix the listed ones first and run it again", place, severity },
    deployment,
  );
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
