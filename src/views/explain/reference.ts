import { ours } from "../../base/shown.ts";
import type { Backend } from "../../catalog/backends/backend.ts";
import { declarableTargets, findBackend, inStockCore } from "../../catalog/backends/index.ts";
import { findRelease } from "../../catalog/releases/index.ts";
import type { Release } from "../../catalog/releases/release.ts";
import type { TargetName } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { RuleInfo } from "../../diagnostics/rule-info.ts";
import type { DeploymentView } from "../../diagnostics/view.ts";
import { suppressibility } from "../../rules/suppression/suppressible.ts";
import { suppressionText } from "../../rules/suppression/suppressions.ts";

/** A rule, with what it found in a checked deployment. */
export function explainRule(rule: RuleInfo, checked: DeploymentView | null) {
  const { id, title, severity, clause, why, bad, good, concerns } = rule;
  const { can, text } = suppressibility(rule);
  const findings = checked?.diagnostics
    .filter((finding) => finding.rule === id)
    .map(({ file, range, message, help, suppression }) => ({
      file,
      line: range?.start.line ?? null,
      column: range?.start.column ?? null,
      message,
      help,
      suppression,
    }));
  return {
    kind: "rule" as const,
    id,
    title: ours(title),
    severity,
    clause: clause ?? null,
    why: ours(why),
    bad: ours(bad),
    good: ours(good),
    docs: `docs/rules.md#${id}`,
    suppressible: ours(text),
    // To copy; null where what the rule usually finds cannot be suppressed. The entry is for what has no line.
    toSuppress: can
      ? {
          comment: ours(suppressionText(id, concerns === "secret-values" ? "#" : "//")),
          entry: ours(suppressionText(id, null)),
        }
      : null,
    // Null without a deployment.
    findings: findings ?? null,
  };
}

/** The sandbox backend of this name, under a release; with its role in a deployment where there is one. */
export function explainBackend(name: string, release: Release, deployment: Deployment | null) {
  const backend = findBackend(name);
  if (backend === undefined) return [];
  return [
    {
      kind: "backend" as const,
      name,
      title: backend.title,
      summary: backend.summary,
      declarableOn: declarableTargets(backend, release),
      inStockCore: inStockCore(backend, release),
      fields: backend.fields(release),
      secrets: [...new Set(backend.secrets.map((secret) => secret.name))],
      settings: backend.settings.map((setting) => ({
        name: `env.core.${setting.name}`,
        description: ours(setting.description),
        example: ours(setting.example ?? ""),
        required: setting.required === true,
      })),
      role: deployment === null ? null : roleIn(deployment, name),
      publish: publishText(backend, release, deployment?.target ?? "docker"),
    },
  ];
}

function roleIn({ sandbox }: Deployment, name: string): string {
  if (sandbox.effective?.name === name) return "primary";
  if (sandbox.secondary?.name === name) return "secondary";
  return sandbox.scopes.some((scope) => scope.name === name) ? "scope" : "not selected";
}

function publishText(backend: Backend, release: Release, target: TargetName): string {
  const plan = backend.publish(release, target);
  return plan.kind === "layer-image"
    ? `builds and pushes a layer image on ${target}`
    : `refused: ${plan.why}; ${plan.instead}`;
}

/** The known release of this version, and what sets it apart. */
export function explainRelease(version: string, deployment: Deployment | null) {
  const release = findRelease(version);
  if (release === undefined) return [];
  const hosted = Object.entries(release.host).filter(([service, host]) => service !== host);
  return [
    {
      kind: "release" as const,
      version,
      // True when it interprets the deployment; null without one.
      used: deployment === null ? null : deployment.release.resolved === version,
      facts: [
        release.images === null
          ? "published no images: every workload needs `imageOverrides`"
          : `published images of ${Object.keys(release.images).join(", ")}`,
        release.layerImages
          ? "agents of Sprites boot a layer image that `sandbox publish` builds"
          : "no layer images: `sandbox/` reaches agents through the deployment layer",
        `its core implements the backends ${release.coreBackends.join(", ")}`,
        hosted.length === 0
          ? "every service is a workload of its own"
          : `${hosted.map(([service, host]) => `${service} runs in ${host}`).join(", ")}`,
        release.scopeBackends ? "reads SANDBOX_SCOPE_BACKENDS" : "does not read SANDBOX_SCOPE_BACKENDS",
        `HARNESS by default: ${Object.entries(release.defaultHarness)
          .map(([target, harness]) => `${harness} on ${target}`)
          .join(", ")}`,
      ],
    },
  ];
}
