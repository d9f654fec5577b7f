import type { Deployment } from "../../deployment/deployment.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Concern, RuleInfo } from "../../diagnostics/rule-info.ts";
import { stoppedOperation } from "../blocking.ts";
import { ruleInfo } from "../registry.ts";

/** Of these nothing can be suppressed, whatever its severity. */
const NEVER: { readonly [concern in Concern]?: string } = {
  input: "a file that cannot be used is not judged at all",
  rendering: "it stops `render`",
  toolkit: "it is a fault of qm-deploy itself",
};

/** Why no finding of a rule can be suppressed; null where that depends on the finding. */
export function whyNever(rule: RuleInfo): string | null {
  if (rule.id.startsWith("suppression/")) return "it is about a suppression itself";
  if (rule.id.startsWith("syntax/")) return "it is about text that does not parse";
  if (rule.leaks === true || rule.clause === "config.no-secret-values") return "a secret would be given away";
  return NEVER[rule.concerns ?? "config"] ?? null;
}

/** Why a finding cannot be suppressed; null where it can. */
export function whyNotSuppressed(diagnostic: Diagnostic, deployment: Deployment): string | null {
  const never = whyNever(ruleInfo(diagnostic.rule));
  if (never !== null) return never;
  const operation = stoppedOperation(diagnostic, deployment);
  return operation === null ? null : `this error stops \`${operation}\``;
}

/** Whether findings of a rule as it usually is can be suppressed, and in words: "no, as …". For docs and `explain`. */
export function suppressibility(rule: RuleInfo): { readonly can: boolean; readonly text: string } {
  const never = whyNever(rule);
  if (never !== null) return { can: false, text: `no, as ${never}` };
  if (rule.severity !== "error" || rule.concerns === "gate") return { can: true, text: "yes" };
  const operation = rule.concerns === "secret-values" ? "render --secrets" : "render";
  return { can: false, text: `not where it is an error, which stops \`${operation}\`` };
}
