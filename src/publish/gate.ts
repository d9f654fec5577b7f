import type { Deployment } from "../deployment/deployment.ts";
import type { ConfigPath } from "../base/config-path.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { concernsSecretValue } from "../rules/blocking.ts";
import { runRules } from "../rules/run-rules.ts";

/** What a publish writes anew: a fault in the old value is no reason against it. */
const REPLACED: readonly ConfigPath[] = [
  ["sandbox", "image"],
  ["sandbox", "baseImage"],
];

/** The errors of `check` that stop a build or publish. Those about secret values do not: the one value that is used is looked at where it is used. */
export function errorsAgainst(deployment: Deployment, publishes: boolean): readonly Diagnostic[] {
  return runRules(deployment).filter((finding) => {
    if (finding.severity !== "error") return false;
    return (
      finding.rule.startsWith("internal/") ||
      !(concernsSecretValue(finding, deployment) || (publishes && isReplaced(finding, deployment)))
    );
  });
}

function isReplaced({ file, range }: Diagnostic, { document }: Deployment): boolean {
  if (range === null || file !== document.file) return false;
  return REPLACED.some((path) => {
    if (document.node(path) === undefined) return false;
    const value = document.valueRange(path);
    return range.start.offset >= value.start.offset && range.end.offset <= value.end.offset;
  });
}
