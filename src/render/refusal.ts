import type { ConfigPath } from "../base/config-path.ts";
import type { RuleId } from "../diagnostics/rule-ids.generated.ts";
import { ruleInfo } from "../rules/registry.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { Refusal } from "./artifact.ts";

/** A refusal of one artifact, pointing at the config place that is to be changed. */
export function refuse(
  deployment: Deployment,
  what: {
    readonly artifact: string;
    readonly rule: RuleId;
    readonly message: string;
    readonly help: string;
    readonly path: ConfigPath;
  },
): Refusal {
  return {
    artifact: what.artifact,
    rule: what.rule,
    clause: ruleInfo(what.rule).clause,
    severity: "error",
    message: what.message,
    help: what.help,
    file: deployment.document.file,
    range: deployment.document.keyRange(what.path),
    fix: null,
  };
}
