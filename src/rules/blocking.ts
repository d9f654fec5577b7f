import type { ConfigPath } from "../base/config-path.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { RuleId } from "../diagnostics/rule-ids.generated.ts";
import type { Concern } from "../diagnostics/rule-info.ts";
import { ruleInfo } from "./registry.ts";

/** What is done with a deployment only when nothing speaks against it. */
export type Operation =
  | "render"
  | "render --secrets"
  | "sandbox build"
  | "sandbox publish"
  /** The first render of a scaffold. */
  | "init"
  /** A change of the config by a command. */
  | "edit";

/**
 * What an operation does not wait for. What needs the configuration to be sound does not need the secrets to be filled in;
 * a change of the config is often what calls for a new secret; and `init` itself leaves values for the operator to fill in.
 * `sandbox publish` looks at the one secret that it uses where it uses it.
 */
const IGNORED: { readonly [operation in Operation]: readonly Concern[] } = {
  render: ["gate", "secret-values"],
  "sandbox build": ["gate", "secret-values"],
  "sandbox publish": ["gate", "secret-values"],
  "render --secrets": ["gate"],
  init: ["gate", "secret-values", "operator-values"],
  edit: ["gate", "secret-values"],
};

/** What an operation writes anew: a fault in the old value is no reason against it. */
const WRITTEN_BY: { readonly [operation in Operation]?: readonly ConfigPath[] } = {
  "sandbox publish": [
    ["sandbox", "image"],
    ["sandbox", "baseImage"],
  ],
};

/** The errors of a check that stop an operation. */
export function blockingDiagnostics(
  operation: Operation,
  diagnostics: readonly Diagnostic[],
  deployment: Deployment,
): readonly Diagnostic[] {
  const written = WRITTEN_BY[operation] ?? [];
  return diagnostics.filter(
    (diagnostic) =>
      diagnostic.severity === "error" &&
      !IGNORED[operation].includes(concernOf(diagnostic, deployment)) &&
      !written.some((path) => isWithin(diagnostic, path, deployment)),
  );
}

/** The first of the operations that a diagnostic stops; null where it stops none. What an operation mends itself counts as well. */
export function stoppedOperation(diagnostic: Diagnostic, deployment: Deployment): Operation | null {
  if (diagnostic.severity !== "error") return null;
  const concern = concernOf(diagnostic, deployment);
  return (Object.keys(IGNORED) as Operation[]).find((operation) => !IGNORED[operation].includes(concern)) ?? null;
}

/** True for what no flag gets past: rendered files are committed, and a secret in the config would be in them. */
export function isCommittedSecret({ clause, severity }: Diagnostic): boolean {
  return severity === "error" && clause === "config.no-secret-values";
}

/** Those of the diagnostics that say of a field, of what is in it, or of what it is in, that it holds a secret. */
export function committedSecretsAt(
  path: ConfigPath,
  diagnostics: readonly Diagnostic[],
  { document }: Deployment,
): readonly Diagnostic[] {
  const { start } = document.keyRange(path);
  const { end } = document.valueRange(path);
  return diagnostics.filter(
    (diagnostic) =>
      isCommittedSecret(diagnostic) &&
      diagnostic.file === document.file &&
      diagnostic.range !== null &&
      diagnostic.range.start.offset < end.offset &&
      diagnostic.range.end.offset > start.offset,
  );
}

/** What a diagnostic concerns: what its rule says; in `.env` it is the value of a secret, whatever rule found it. */
export function concernOf({ rule, file }: Diagnostic, { inputs }: Deployment): Concern {
  const { concerns = "config" } = ruleInfo(rule);
  return concerns === "config" && file === inputs.envFile?.file ? "secret-values" : concerns;
}

/** True where this toolkit itself failed: nothing is certain then, and the exit status says so. */
export function isToolkitFault({ rule }: { readonly rule: RuleId }): boolean {
  return ruleInfo(rule).concerns === "toolkit";
}

function isWithin({ file, range }: Diagnostic, path: ConfigPath, { document }: Deployment): boolean {
  if (range === null || file !== document.file || document.node(path) === undefined) return false;
  const value = document.valueRange(path);
  return range.start.offset >= value.start.offset && range.end.offset <= value.end.offset;
}
