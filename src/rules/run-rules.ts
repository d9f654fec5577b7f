import type { Deployment } from "../deployment/deployment.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { orderDiagnostics } from "../diagnostics/order.ts";
import type { SourceRange } from "../diagnostics/range.ts";
import { withoutIdleErrors } from "./config/other-target.ts";
import { RULES } from "./all.generated.ts";
import type { Finding, FindingPlace, Report, Rule } from "./rule.ts";

/** Everything that is wrong with a deployment: what resolving found and what each rule finds, in report order. */
export function runRules(deployment: Deployment, rules = RULES): Diagnostic[] {
  const found = [...withoutIdleErrors(deployment)];
  let asked: Rule;
  let most = 0;
  let unlisted: Finding[] = [];
  const report: Report = (finding) => {
    if (found.length < most) found.push(toDiagnostic(asked, finding, deployment));
    else unlisted.push(finding);
  };
  for (const rule of rules) {
    asked = rule;
    most = found.length + MOST_OF_A_RULE;
    try {
      rule.check(deployment, report);
    } catch (fault) {
      // It costs no finding of another rule, and none that it made before.
      found.push(fromFault(rule, fault, deployment));
    }
    if (unlisted.length > 0) {
      found.push(ofUnlisted(rule, unlisted, deployment));
      unlisted = [];
    }
  }
  return orderDiagnostics(found);
}

/** How many findings of one rule are listed: nobody reads more, and a file made by a faulty program has as many as lines. */
export const MOST_OF_A_RULE = 100;

/** Says how many findings are left out, with the severity of the worst of them: no error may pass for being late. */
function ofUnlisted(rule: Rule, unlisted: readonly Finding[], { document }: Deployment): Diagnostic {
  const severities = new Set(unlisted.map(({ severity = rule.severity }) => severity));
  const many = unlisted.length > 1;
  return {
    rule: rule.id,
    clause: rule.clause ?? null,
    severity: severities.has("error") ? "error" : severities.has("warning") ? "warning" : "info",
    message: `${unlisted.length} more ${many ? "findings" : "finding"} of this rule ${many ? "are" : "is"} not listed`,
    help: "mend the listed ones first and run it again",
    command: null,
    file: document.file,
    range: null,
    fix: null,
  };
}

function toDiagnostic(rule: Rule, finding: Finding, deployment: Deployment): Diagnostic {
  const { message, help, command = null, place, severity = rule.severity, fix = null } = finding;
  const { file, range } = locate(place, deployment);
  return { rule: rule.id, clause: rule.clause ?? null, severity, message, help, command, file, range, fix };
}

function locate(place: FindingPlace, { document }: Deployment): { file: string; range: SourceRange | null } {
  if (!("path" in place)) return place;
  const range = place.at === "value" ? document.valueRange(place.path) : document.keyRange(place.path);
  return { file: document.file, range };
}

/** Names the error's kind only: its text may quote a value. */
function fromFault(rule: Rule, fault: unknown, { document }: Deployment): Diagnostic {
  const kind = fault instanceof Error ? fault.name : typeof fault;
  return {
    rule: "internal/broken-rule",
    clause: null,
    severity: "error",
    message: `the rule \`${rule.id}\` failed (${kind}), so what it would have found is missing`,
    help: "this is a fault of qm-deploy and not of the deployment: please report it, with the config that shows it",
    command: null,
    file: document.file,
    range: null,
    fix: null,
  };
}
