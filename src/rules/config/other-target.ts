import { TARGET_NAMES, type TargetName } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { removal, type Rule, beside } from "../rule.ts";

/** Top-level fields that one target alone reads. */
const FIELDS: { readonly [target in TargetName]: readonly string[] } = {
  docker: ["basePort"],
  fly: ["appPrefix", "region", "flyOrg", "imageFrom", "deployAppPrefix", "vms"],
  aws: ["aws"],
};

export const OTHER_TARGET_RULES: readonly Rule[] = [
  {
    id: "config/other-target",
    title: "Field of another target",
    severity: "warning",
    why: "Some fields are read on one target only: regions and machine sizes on fly, the ports on docker, the coordinates on aws. Elsewhere they change nothing, which who wrote them may not know.",
    bad: '{ "target": "docker", "region": "sjc" }',
    good: '{ "target": "fly", "region": "sjc" }',
    check(deployment, report) {
      for (const target of otherTargets(deployment)) {
        for (const name of FIELDS[target]) {
          if (deployment.document.node([name]) === undefined) continue;
          report({
            message: `\`${name}\` is read on ${target} only, and the target is ${deployment.target}`,
            help: `remove it, or set \`target\` to ${target}`,
            place: { path: [name] },
            related: [beside(["target"], "the target")],
            fix: removal([name]),
          });
        }
      }
    },
  },
];

/**
 * The targets of which fields stand idle: not the one in force, nor the one that the config names while `--target`
 * overrules it, since such a config is kept for both.
 */
function otherTargets({ target, config }: Deployment): TargetName[] {
  return target === null ? [] : TARGET_NAMES.filter((name) => name !== target && name !== config.target);
}

/**
 * What was found on the way, without errors in fields that the target does not read: inside such a block they are
 * warnings, since a half-filled block there stops nothing, and of a field's own value OTHER_TARGET has said enough.
 */
export function withoutIdleErrors(deployment: Deployment): readonly Diagnostic[] {
  const { document, diagnostics } = deployment;
  const idle = otherTargets(deployment)
    .flatMap((target) => FIELDS[target])
    .map((name) => document.node([name]))
    .filter((node) => node !== undefined);
  if (idle.length === 0) return diagnostics;
  return diagnostics.flatMap((diagnostic) => {
    const at = diagnostic.rule.startsWith("config/") ? (diagnostic.range?.start.offset ?? -1) : -1;
    const block = idle.find((node) => node.start <= at && at < node.end);
    if (block === undefined) return [diagnostic];
    if (block.start === at) return [];
    return [diagnostic.severity === "error" ? { ...diagnostic, severity: "warning" as const } : diagnostic];
  });
}
